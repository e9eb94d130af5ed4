import { whileInstalled, type Keeping } from './write-if-installed.ts'

/** A link that was made in Slack, as far as it is to be recognised there. */
export interface MadeLink {
  shortUrl: string
  destinationUrl: string
  title?: string | undefined
  /** The texts of a custom preview, where it has one. */
  previewTitle?: string | undefined
  previewDescription?: string | undefined
  /** Where the link service shows the preview image, where it says so. */
  previewImageUrl?: string | undefined
  /** The Slack user who made it; absent where no person did, but a workflow. */
  madeBy?: string | undefined
}

/** A link that was remembered. */
export interface RememberedLink extends Omit<MadeLink, 'shortUrl'> {
  /** Its short URL as it is kept: the same one however somebody wrote it. */
  address: string
  /** Milliseconds since 1970. */
  madeAt: number
}

/** The record of the links that a workspace made in Slack. It goes when the workspace goes. */
export interface MadeLinks {
  /** Keeps a link. Of several with the same short URL, the first one stays. */
  remember(workspaceId: string, link: MadeLink): Promise<void>
  /**
   * What is known of a short URL. Undefined where the workspace made no such link in Slack.
   *
   * @param shortUrl as somebody wrote it: whatever its scheme, with or without a slash at its end, and
   *   with a query that somebody appended
   */
  find(workspaceId: string, shortUrl: string): Promise<RememberedLink | undefined>
}

export function createMadeLinks({
  now = Date.now,
  ...keeping
}: Keeping & {
  /** Milliseconds since 1970. */
  now?: () => number
}): MadeLinks {
  const { db } = keeping.database
  return {
    async remember(workspaceId, link) {
      const address = addressOf(link.shortUrl)
      if (address === undefined) throw new TypeError('a short URL is an http:// or https:// URL')
      const row = {
        workspace_id: workspaceId,
        short_url: address,
        destination_url: link.destinationUrl,
        title: link.title ?? null,
        preview_title: link.previewTitle ?? null,
        preview_description: link.previewDescription ?? null,
        preview_image_url: link.previewImageUrl ?? null,
        made_by: link.madeBy ?? null,
        made_at: now(),
      }
      await whileInstalled(keeping, workspaceId, (writer) =>
        writer
          .insertInto('made_links')
          .values(row)
          .onConflict((conflict) => conflict.columns(['workspace_id', 'short_url']).doNothing())
          .execute(),
      )
    },

    async find(workspaceId, shortUrl) {
      const address = addressOf(shortUrl)
      if (address === undefined) return undefined
      const rows = await db
        .selectFrom('made_links')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('short_url', 'in', [address, withoutQuery(address)])
        .execute()
      const row = rows.find(({ short_url }) => short_url === address) ?? rows[0]
      return (
        row && {
          address: row.short_url,
          destinationUrl: row.destination_url,
          title: row.title ?? undefined,
          previewTitle: row.preview_title ?? undefined,
          previewDescription: row.preview_description ?? undefined,
          previewImageUrl: row.preview_image_url ?? undefined,
          madeBy: row.made_by ?? undefined,
          madeAt: row.made_at,
        }
      )
    },
  }
}

/**
 * What makes two short URLs the same one: host, port, path and query, as WHATWG URLs write them. The
 * scheme and a slash at the end may be another's doing (Slack's, or a person's who typed the URL from
 * a poster), and a fragment never reaches the service.
 */
function addressOf(shortUrl: string): string | undefined {
  const url = URL.parse(shortUrl)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
  return `${url.host}${url.pathname.replace(/\/$/, '')}${url.search}`
}

function withoutQuery(address: string): string {
  return address.replace(/\/?\?.*$/, '')
}

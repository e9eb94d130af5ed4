import { remindAt } from './reminders.ts'
import { writeIfInstalled, type StoreOptions } from './write-if-installed.ts'

/** A link that was made in Slack. */
export interface MadeLink {
  shortUrl: string
  destinationUrl: string
  title?: string | undefined
  /** The texts of a custom preview, if it has one. */
  previewTitle?: string | undefined
  previewDescription?: string | undefined
  /** The address of the preview image, if the link service names it. */
  previewImageUrl?: string | undefined
  /** The Slack user who made it; absent if a workflow made it. */
  madeBy?: string | undefined
  /** The link service's ID of the link; absent if it was made before this was stored. */
  name?: string | undefined
  /** When it expires, as it was made, in milliseconds since 1970; absent: never. */
  endsAt?: number | undefined
}

/** A stored link. */
export interface StoredLink extends Omit<MadeLink, 'shortUrl'> {
  /** The normalized short URL: the same for every way of writing it. */
  address: string
  /** Milliseconds since 1970. */
  madeAt: number
}

/** The record of the links that a workspace made in Slack. */
export interface MadeLinks {
  /** Stores a link. If the short URL is already stored, the earlier link stays. */
  add(workspaceId: string, link: MadeLink): Promise<void>
  /**
   * Finds a link that the workspace made in Slack.
   *
   * @param shortUrl in any spelling: http or https, with or without a slash at its end, and with a
   *   query appended
   */
  find(workspaceId: string, shortUrl: string): Promise<StoredLink | undefined>
}

export function createMadeLinks({ now = Date.now, ...options }: StoreOptions): MadeLinks {
  const { db } = options.database
  return {
    async add(workspaceId, link) {
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
        link_name: link.name ?? null,
        expires_at: link.endsAt ?? null,
        remind_at: reminderOf(link, now()),
      }
      await writeIfInstalled(options, workspaceId, (writer) =>
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
          name: row.link_name ?? undefined,
          endsAt: row.expires_at ?? undefined,
        }
      )
    },
  }
}

/** When to remind the maker of a new link that it expires; null: never. */
function reminderOf({ name, madeBy, endsAt }: MadeLink, madeAt: number): number | null {
  if (name === undefined || madeBy === undefined || endsAt === undefined) return null
  return remindAt(endsAt, madeAt)
}

/**
 * Two short URLs are the same if their host, port, path and query are the same, as WHATWG URLs write
 * them. Slack, or a person who copies the URL from a poster, may change the scheme or the slash at the
 * end, and a fragment never reaches the service.
 */
function addressOf(shortUrl: string): string | undefined {
  const url = URL.parse(shortUrl)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
  return `${url.host}${url.pathname.replace(/\/$/, '')}${url.search}`
}

/** Whether both are the short URL of the same link, in any spelling. A query that was appended to `given` is ignored. */
export function isSameShortUrl(given: string, known: string): boolean {
  const [one, other] = [addressOf(given), addressOf(known)]
  if (one === undefined || other === undefined) return false
  return one === other || withoutQuery(one) === other
}

function withoutQuery(address: string): string {
  return address.replace(/\/?\?.*$/, '')
}

import type { Shortlink } from '../contract/shortlink.ts'
import type { Schema } from '../database/schema.ts'
import { defineWrite } from '../database/write.ts'
import { listCreatedLinks, type CreatedLinkQuery } from './list-created-links.ts'
import { remindAt } from './reminders.ts'
import {
  lockedBy,
  lockInstallation,
  writeIfInstalled,
  type StoreOptions,
} from './write-if-installed.ts'

type DisplayedText = 'title' | 'preview_title' | 'preview_description' | 'preview_image'

type LinkTexts = Pick<Shortlink, 'name' | 'shortlink_url' | 'destination_url'> & {
  [Field in DisplayedText | 'expires_at' | 'createdBy']?: string | undefined
}

export interface CreatedLink extends LinkTexts {
  is_custom_preview?: boolean | undefined // If false, the texts and the image of the preview are not stored.
}

export interface RecordedLink extends LinkTexts {
  /** The short URL, normalized by `normalizedAddress`. */
  address: string
  created_at: string
}

export interface CreatedLinks {
  /** Does nothing if the link is stored already, and replaces another link that had the same short URL. */
  add(workspaceId: string, link: CreatedLink): Promise<void>
  /** Records a change. Earlier short URLs of the link keep their rows, so that their cards show the change, too. */
  follow(workspaceId: string, shortUrl: string, link: CreatedLink): Promise<void>
  remove(workspaceId: string, name: string): Promise<void>
  /**
   * @param shortUrl in any spelling: http or https, with or without a slash at its end, and with a query appended
   * @param name a recorded link with another name isn't returned. Some services reuse the back-half of a deleted link
   */
  find(workspaceId: string, shortUrl: string, name?: string): Promise<RecordedLink | undefined>
  list(
    workspaceId: string,
    query: CreatedLinkQuery,
  ): Promise<{ links: RecordedLink[]; total: number; hasMore: boolean }>
}

export function createCreatedLinkStore({
  now = Date.now,
  serviceHosts = [],
  ...options
}: StoreOptions & { serviceHosts?: readonly string[] }): CreatedLinks {
  const { db } = options.database

  // Our link service might have had other hostnames.
  function onAllHosts(address: string): string[] {
    const [, host = '', path = ''] = /^([^/?]*)(.*)/s.exec(address) ?? []
    const others = serviceHosts.includes(host) ? serviceHosts.filter((other) => other !== host) : []
    return [address, ...others.map((other) => other + path)]
  }

  return {
    async add(workspaceId, link) {
      const address = normalizedAddress(link.shortlink_url)
      if (address === undefined) throw new TypeError('a short URL is an http:// or https:// URL')
      const expiresAt = link.expires_at === undefined ? undefined : Date.parse(link.expires_at)
      const row = {
        workspace_id: workspaceId,
        short_url: address,
        made_by: link.createdBy ?? null,
        made_at: now(),
        ...changedColumns(link),
        expires_at: expiresAt ?? null,
        remind_at: link.createdBy === undefined ? null : remindAt(expiresAt, now()),
      }
      const statement = db
        .insertInto('made_links')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(['workspace_id', 'short_url'])
            .doUpdateSet(row)
            .where('made_links.link_name', '!=', row.link_name),
        )
      await writeIfInstalled(options, workspaceId, statement)
    },

    async follow(workspaceId, shortUrl, link) {
      const before = normalizedAddress(shortUrl)
      const after = normalizedAddress(link.shortlink_url)
      if (before === undefined || after === undefined) return
      const locked = lockedBy(options, workspaceId)
      const write = followLink(locked, workspaceId, [before, after], changedColumns(link))
      await options.database.write(write)
    },

    async remove(workspaceId, name) {
      const statement = db
        .deleteFrom('made_links')
        .where((is) => is.and({ workspace_id: workspaceId, link_name: name }))
      await writeIfInstalled(options, workspaceId, statement)
    },

    async find(workspaceId, shortUrl, name) {
      const address = normalizedAddress(shortUrl)
      if (address === undefined) return undefined
      const spellings = [address, withoutQuery(address)].flatMap(onAllHosts)
      const rows = await db
        .selectFrom('made_links')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('short_url', 'in', spellings)
        .execute()
      const [row] = spellings.flatMap((spelling) =>
        rows.filter((stored) => stored.short_url === spelling),
      )
      return row && (name ?? row.link_name) === row.link_name ? recordedLink(row) : undefined
    },

    async list(workspaceId, query) {
      const { rows, ...counts } = await listCreatedLinks(options.database, workspaceId, query)
      return { links: rows.map(recordedLink), ...counts }
    },
  }
}

export const followLink = defineWrite(async function followLink(
  transaction,
  lockedWorkspace: string | undefined,
  workspaceId: string,
  [before, after]: readonly [before: string, after: string],
  values: ReturnType<typeof changedColumns>,
) {
  if (!(await lockInstallation(transaction, lockedWorkspace))) return
  const link = { workspace_id: workspaceId, link_name: values.link_name }
  const row = await transaction
    .selectFrom('made_links')
    .select(['made_by', 'made_at', 'expires_at', 'remind_at'])
    .where((is) => is.and({ ...link, short_url: before }))
    .executeTakeFirst()
  if (!row) return
  await transaction
    .updateTable('made_links')
    // Only one row of a link has its expiry, so that its creator is reminded once.
    .set({ ...values, expires_at: null, remind_at: null, superseded: 1 })
    .where((is) => is.and(link))
    .execute()
  await transaction
    .insertInto('made_links')
    .values({ workspace_id: workspaceId, short_url: after, ...row, ...values })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'short_url']).doUpdateSet({ ...row, ...values }),
    )
    .execute()
})

function recordedLink(row: Schema['made_links']): RecordedLink {
  return {
    name: row.link_name,
    shortlink_url: `${row.scheme ?? 'https'}://${row.short_url}`,
    address: row.short_url,
    destination_url: row.destination_url,
    title: row.title ?? undefined,
    preview_title: row.preview_title ?? undefined,
    preview_description: row.preview_description ?? undefined,
    preview_image: row.preview_image_url ?? undefined,
    createdBy: row.made_by ?? undefined,
    created_at: new Date(row.made_at).toISOString(),
    expires_at: row.expires_at === null ? undefined : new Date(row.expires_at).toISOString(),
  }
}

function changedColumns(link: CreatedLink) {
  const preview = link.is_custom_preview === false ? undefined : link
  return {
    destination_url: link.destination_url,
    title: link.title ?? null,
    preview_title: preview?.preview_title ?? null,
    preview_description: preview?.preview_description ?? null,
    preview_image_url: preview?.preview_image ?? null,
    link_name: link.name,
    scheme: URL.parse(link.shortlink_url)?.protocol === 'http:' ? ('http' as const) : null,
    superseded: 0,
  }
}

// `https://Go.example.com/spring/#top` → `go.example.com/spring`. Slack or a person might change the scheme and the slash.
function normalizedAddress(shortUrl: string): string | undefined {
  const url = URL.parse(shortUrl)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
  return `${url.host}${url.pathname.replace(/\/$/, '')}${url.search}`
}

export function isSameShortUrl(typedUrl: string, shortUrl: string): boolean {
  const typed = normalizedAddress(typedUrl)
  const address = normalizedAddress(shortUrl)
  if (typed === undefined || address === undefined) return false
  return typed === address || withoutQuery(typed) === address
}

function withoutQuery(address: string): string {
  return address.replace(/\/?\?.*/, '')
}

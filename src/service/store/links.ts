import type { Kysely, Selectable } from 'kysely'
import type { ListQuery } from '../../contract/list-query.ts'
import type { LinksTable, Schema } from '../../database/schema.ts'
import { countLinks } from './link-counts.ts'

export type LinkRow = Selectable<LinksTable>

/** Inserts a link. Returns false if its short URL or its destination exists. */
export async function insertLink(db: Kysely<Schema>, row: LinkRow): Promise<boolean> {
  const inserted = await db
    .insertInto('links')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Finds the owner's link with the same effective destination on the same domain record. */
export async function findDuplicate(
  db: Kysely<Schema>,
  { owner_id: ownerId, domain_id: domainId, destination_hash: hash }: LinkRow,
): Promise<LinkRow | undefined> {
  return db
    .selectFrom('links')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('domain_id', '=', domainId)
    .where('destination_hash', '=', hash)
    .executeTakeFirst()
}

export async function findLink(db: Kysely<Schema>, id: string): Promise<LinkRow | undefined> {
  return db.selectFrom('links').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds the link with a back-half on the first of the hostnames that has one. */
export async function findByShortUrl(
  db: Kysely<Schema>,
  hostnames: readonly string[],
  backHalf: string,
): Promise<LinkRow | undefined> {
  const rows = await db
    .selectFrom('links')
    .selectAll()
    .where('hostname', 'in', hostnames)
    .where('back_half', '=', backHalf)
    .execute()
  return hostnames
    .map((hostname) => rows.find((row) => row.hostname === hostname))
    .find((row) => row !== undefined)
}

/** Which links to list, which page of them, and in which order. */
export interface LinkSelection extends ListQuery {
  ownerId: string
  /** Only links on these domain records; undefined: on all. */
  domainIds: readonly string[] | undefined
}

/**
 * Returns a page of an owner's links with their clicks, and how many links there are in total. An index has all
 * that is needed to find the page's ids; only then are its rows read.
 *
 * @param longReads a deep page takes long
 */
export async function selectLinks(
  longReads: Kysely<Schema>,
  { ownerId, domainIds, page, per_page: perPage, sort_by: sortBy, order }: LinkSelection,
): Promise<{ rows: (LinkRow & { people: number })[]; total: number }> {
  const total = await countLinks(longReads, { ownerId, domainIds })
  const before = (page - 1) * perPage
  if (before >= total) return { rows: [], total }
  const limit = Math.min(perPage, total - before)
  const after = total - before - limit
  // A page of the second half is nearer to the end.
  const fromEnd = after < before
  const direction = fromEnd === (order === 'asc') ? 'desc' : 'asc'
  const time = sortBy === 'updated_at' ? 'updated_at' : 'created_at'
  const rows = await longReads
    .selectFrom((from) =>
      from
        .selectFrom('links')
        .select('id')
        .where('owner_id', '=', ownerId)
        .where('deleted_at', 'is', null)
        .$if(domainIds !== undefined, (query) => query.where('domain_id', 'in', domainIds ?? []))
        .orderBy(time, direction)
        .orderBy('id', direction)
        .limit(limit)
        .offset(fromEnd ? after : before)
        .as('page'),
    )
    .innerJoin('links', 'links.id', 'page.id')
    .innerJoin('click_totals', 'click_totals.link_id', 'page.id')
    .selectAll('links')
    .select('click_totals.people')
    .orderBy(`links.${time}`, order)
    .orderBy('links.id', order)
    .execute()
  return { rows, total }
}

/** Stores the size of a link's preview image. 0: the image does not contain its size. */
export async function savePreviewImageSize(
  db: Kysely<Schema>,
  linkId: string,
  { width, height }: { width: number; height: number },
): Promise<void> {
  await db
    .updateTable('links')
    .set({ preview_image_width: width, preview_image_height: height })
    .where('id', '=', linkId)
    .execute()
}

/** Stores the preview image of a link that the same transaction inserted. */
export async function insertPreviewImage(
  db: Kysely<Schema>,
  linkId: string,
  bytes: Uint8Array,
): Promise<void> {
  await db.insertInto('preview_images').values({ link_id: linkId, bytes }).execute()
}

/** Returns a link's preview image with its media type. */
export async function findPreviewImage(
  db: Kysely<Schema>,
  linkId: string,
): Promise<{ bytes: Uint8Array; mediaType: string } | undefined> {
  const row = await db
    .selectFrom('preview_images')
    .innerJoin('links', 'links.id', 'preview_images.link_id')
    .select(['preview_images.bytes', 'links.preview_image_type'])
    .where('link_id', '=', linkId)
    .executeTakeFirst()
  return row?.preview_image_type
    ? { bytes: row.bytes, mediaType: row.preview_image_type }
    : undefined
}

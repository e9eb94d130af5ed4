import type { Kysely, Selectable, Transaction } from 'kysely'
import type { ListQuery } from '../../contract/list-query.ts'
import type { LinksTable, Schema } from '../../database/schema.ts'

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

/**
 * Counts an owner's links, and lets no other transaction count them until this one ends: an update
 * that changes nothing locks the owner's row in both databases.
 */
export async function lockAndCountLinks(
  transaction: Transaction<Schema>,
  ownerId: string,
): Promise<number> {
  await transaction
    .updateTable('owners')
    .set((row) => ({ max_links: row.ref('max_links') }))
    .where('id', '=', ownerId)
    .execute()
  const { total } = await transaction
    .selectFrom('links')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return total
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

/** Returns a page of an owner's links, and how many links there are in total. */
export async function selectLinks(
  db: Kysely<Schema>,
  { ownerId, domainIds, page, per_page: perPage, sort_by: sortBy, order }: LinkSelection,
): Promise<{ rows: LinkRow[]; total: number }> {
  const selected = db
    .selectFrom('links')
    .where('owner_id', '=', ownerId)
    .$if(domainIds !== undefined, (query) => query.where('domain_id', 'in', domainIds ?? []))
  const { total } = await selected
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await selected
    .selectAll()
    .orderBy(sortBy === 'updated_at' ? 'updated_at' : 'created_at', order)
    .orderBy('id', order)
    .limit(perPage)
    .offset((page - 1) * perPage)
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

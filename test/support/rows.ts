import type { Insertable } from 'kysely'
import type { Database } from '../../src/database/database.ts'
import type { Schema } from '../../src/database/schema.ts'
import { addDomain } from '../../src/service/store/domains.ts'
import { EMPTY_FIELDS } from '../../src/service/store/link-values.ts'
import { NO_CREATOR, type LinkRow } from '../../src/service/store/links.ts'
import { EMPTY_IMAGE } from '../../src/service/store/preview-images.ts'

/** An account whose name is its ID. */
export function ownerRow(id: string) {
  const kind = 'account' as const
  return { id, kind, name: id, external_id: null, created_at: 0, max_links: null }
}

/** A link of “acme” on the built-in domain record, whose back-half is its ID. */
export function linkRow(id: string, values: Partial<LinkRow> = {}): LinkRow {
  return {
    ...EMPTY_FIELDS,
    ...EMPTY_IMAGE,
    id,
    owner_id: 'acme',
    domain_id: 'default',
    hostname: '',
    back_half: id,
    destination_url: `https://example.com/${id}`,
    destination_hash: id,
    created_at: 0,
    updated_at: 0,
    deleted_at: null,
    revision: 1,
    alias_of: null,
    ...NO_CREATOR,
    ...values,
  }
}

/** Adds rows to a table. */
export async function insert<Table extends keyof Schema>(
  { db }: Pick<Database, 'db'>,
  table: Table,
  ...rows: Insertable<Schema[Table]>[]
): Promise<void> {
  await db.insertInto(table).values(rows).execute()
}

/** Adds accounts, unless they exist. */
export async function addOwners({ db }: Pick<Database, 'db'>, ...ids: string[]): Promise<void> {
  const rows = ids.map(ownerRow)
  await db
    .insertInto('owners')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Adds a domain record with the hostname ID.example, by default for all owners, unless it exists. */
export async function addDomainRecord(
  { db }: Pick<Database, 'db'>,
  id: string,
  owner_id: string | null = null,
): Promise<void> {
  await addDomain(db, { id, domain_name: `${id}.example`, owner_id, created_at: 0 })
}

/** Adds links without a service. */
export async function addLinks({ db }: Pick<Database, 'db'>, ...rows: LinkRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 500) {
    await insert({ db }, 'links', ...rows.slice(at, at + 500))
  }
}

/** Removes all links with what belongs to them. */
export async function removeLinks({ db }: Pick<Database, 'db'>): Promise<void> {
  for (const table of [
    'referrers',
    'clicks',
    'click_totals',
    'segment_clicks',
    'segments',
    'tag_sets',
    'link_history',
    'link_destinations',
  ] as const) {
    await db.deleteFrom(table).execute()
  }
  await db.deleteFrom('links').where('alias_of', 'is not', null).execute()
  await db.deleteFrom('links').execute()
}

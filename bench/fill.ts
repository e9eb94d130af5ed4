import { DatabaseSync } from 'node:sqlite'
import { openDatabase } from '../src/database/database.ts'
import { indexAll } from '../src/service/store/link-indexer.ts'

/** The short URL of a link that `fill` adds, by its number from 1. */
export function filledPath(number: number): string {
  return `/b${number}`
}

/** The ID of that link. */
export function filledId(number: number): string {
  const hex = number.toString(16)
  return `${hex.padStart(8, '0')}-0000-7000-8000-${hex.padStart(12, '0')}`
}

/** Adds links of an organization that the service provisions again when it starts. */
export async function fill(url: string, links: number): Promise<void> {
  const database = await openDatabase(url)
  await database.db
    .insertInto('owners')
    .values({
      id: 'bench',
      kind: 'organization',
      name: 'Benchmark',
      external_id: 'bench',
      created_at: 0,
      max_links: null,
    })
    .execute()
  await database.close()
  const sqlite = new DatabaseSync(url.slice('file:'.length))
  sqlite.exec(`
    begin;
    with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${links})
    insert into links (id, owner_id, domain_id, hostname, back_half, destination_url, destination_hash, title,
      utm_analytics_enabled, is_custom_preview, qr_code_enabled, created_at, updated_at)
    select printf('%08x-0000-7000-8000-%012x', i, i), 'bench', 'default', '', 'b' || i,
      'https://example.com/some/long/page/' || i || '?with=a&query=too', 'hash ' || i,
      'Page ' || i || case i % 1000 when 7 then ' of the spring campaign' else ' about a topic' end,
      0, 0, 0, 1700000000000 + i, 1700000000000 + i * 7919 % ${links}
    from numbers;
    update click_totals set people = (number * 7919) % 1000 from (select id, rowid as number from links) as filled
      where filled.id = link_id and number % 3 = 0;
    commit;
    pragma wal_checkpoint(truncate)`)
  sqlite.close()
  const filled = await openDatabase(url)
  await indexAll(filled)
  await filled.close()
}

/** Adds the same links to the database of the bare server. */
export function fillBare(path: string, links: number): void {
  const sqlite = new DatabaseSync(path)
  sqlite.exec(`
    pragma journal_mode = wal;
    create table links (id text primary key, back_half text not null unique, destination text not null);
    with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${links})
    insert into links select printf('%08x-0000-7000-8000-%012x', i, i), 'b' || i,
      'https://example.com/some/long/page/' || i || '?with=a&query=too' from numbers`)
  sqlite.close()
}

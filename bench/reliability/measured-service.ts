import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql, type Kysely } from 'kysely'
import { pino } from 'pino'
import { openDatabase } from '../../src/database/database.ts'
import { indexAll } from '../../src/service/store/link-indexer.ts'
import type { Schema } from '../../src/database/schema.ts'
import { createService } from '../../src/service/server.ts'

/*
 * The link service with many links, in a process that measures its event loop:
 * `measured-service.ts DATABASE_URL LINKS`. It answers each message with the longest delay since the last.
 */

const [databaseUrl = '', links = ''] = process.argv.slice(2)
const database = await openDatabase(databaseUrl)
const service = await createService({
  database,
  publicUrl: 'http://localhost:3001',
  logger: pino({ level: 'error' }),
})
const { apiKey } = await service.provision({ id: 'T1', name: 'Acme' })
await database.db.updateTable('api_keys').set({ requests_per_minute: 1e9 }).execute()
await addLinks(database.db, Number(links))
await indexAll(database)
const baseUrl = await service.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ baseUrl, apiKey, databaseUrl })

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('message', () => {
  process.send?.({ longest: Math.round(delay.max / 1e6) })
  delay.reset()
})

/** Links with titles, of which every tenth has a custom preview with an image. */
async function addLinks(db: Kysely<Schema>, count: number): Promise<void> {
  const { id: owner } = await db.selectFrom('owners').select('id').executeTakeFirstOrThrow()
  await sql`
    insert into links (id, owner_id, domain_id, hostname, back_half, destination_url, destination_hash, title,
      utm_analytics_enabled, is_custom_preview, preview_title, preview_image_type, qr_code_enabled, qr_code_color,
      created_at, updated_at)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    select printf('00000000-0000-7000-8000-%012d', n), ${owner}, 'default', '', 'p' || n,
      'https://example.com/some/long/page/' || n, 'hash ' || n, 'Page ' || n || ' about spring',
      0, n % 10 = 0, 'Spring', case when n % 10 = 0 then 'image/svg+xml' end, 1, '#1f4f46', n, n
    from numbers`.execute(db)
  const image = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630"/>`)
  await sql`insert into preview_images (link_id, bytes)
    select id, ${image} from links where is_custom_preview = 1`.execute(db)
}

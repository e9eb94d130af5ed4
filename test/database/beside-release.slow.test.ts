import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { sqlitePath, type DatabaseKind } from '../../src/database/database-url.ts'
import { BACKFILLS, fillNext } from '../../src/service/store/backfills.ts'
import { createMemberLink } from '../../src/service/store/sessions.ts'
import { openDatabase } from '../support/open-database.ts'
import { postgresSkipped } from '../support/postgres.ts'
import { restoreReleased } from '../support/released.ts'
import { makeTempDir } from '../support/temp-dir.ts'

interface Statement {
  sql: string
  parameters: unknown[]
}

/** What version 1.0.0 sent to its database (test/fixtures/1.0.0/README.md). */
function statementsOf(kind: DatabaseKind): Statement[] {
  const path = join(import.meta.dirname, `../fixtures/1.0.0/${kind}-statements.jsonl.gz`)
  const lines = gunzipSync(readFileSync(path)).toString('utf8').trim().split('\n')
  const bytes = (_name: string, value: unknown) =>
    typeof value === 'object' && value !== null && 'hex' in value
      ? Buffer.from(String(value.hex), 'hex')
      : value
  return lines.map((line) => JSON.parse(line, bytes) as Statement)
}

/** @param between called before each statement that is in no transaction */
async function replay(
  kind: DatabaseKind,
  url: string,
  between: () => Promise<unknown>,
): Promise<void> {
  const client = kind === 'sqlite' ? undefined : new pg.Client(url)
  using database = kind === 'sqlite' ? new DatabaseSync(sqlitePath(url)) : undefined
  await client?.connect()
  try {
    let isInTransaction = false
    for (const { sql: text, parameters } of statementsOf(kind)) {
      if (!isInTransaction) await between()
      if (/^(?:begin|start)/i.test(text)) isInTransaction = true
      if (/^(?:commit|rollback)/i.test(text)) isInTransaction = false
      database?.prepare(text).all(...(parameters as SQLInputValue[]))
      await client?.query(text, parameters)
    }
  } finally {
    await client?.end()
  }
}

/** When the back-fill of the upgrade runs. */
const FILLED = ['before', 'between', 'at once', 'after'] as const

/** Fills two rows. @returns whether there were any */
async function fillSome({ write }: Database): Promise<boolean> {
  for (const name of Object.keys(BACKFILLS)) {
    if ((await write(fillNext(name, 2))) !== undefined) return true
  }
  return false
}

async function fillAll(database: Database): Promise<void> {
  while (await fillSome(database));
}

describe.each(['sqlite', 'postgres'] as const)('version 1.0.0 beside a new schema: %s', (kind) => {
  // Statements of SQLite block this thread, in which the others would wait.
  const filled = FILLED.filter((when) => kind === 'postgres' || when !== 'at once')
  test.skipIf(kind === 'postgres' && postgresSkipped).each(filled)(
    'all clicks are counted, also in reports, and links are created, changed and deleted (rows are filled %s)',
    async (when) => {
      const directory = await makeTempDir()
      const url = await restoreReleased(kind, directory.path)
      const database = await openDatabase(url)
      const { db } = database
      onTestFinished(async () => {
        await database.close()
        await directory.remove()
      })
      const clicksOf = async () => {
        const { rows } = await sql<{ back_half: string; days: number | null; total: number }>`
          select back_half, people as total,
            (select cast(sum(people) as bigint) from clicks where link_id = id) as days
          from links join click_totals on link_id = id
          where back_half in ('spring', 'autumn', 'renamed-beside', 'beside-slack')`.execute(db)
        for (const { days, total } of rows) expect(total).toBe(days ?? 0)
        return Object.fromEntries(rows.map(({ back_half, total }) => [back_half, total]))
      }
      const before = await clicksOf()
      if (when === 'before') await fillAll(database)
      const between = () => (when === 'between' ? fillSome(database) : Promise.resolve())
      await Promise.all([replay(kind, url, between), when === 'at once' && fillAll(database)])
      await fillAll(database)
      expect(await clicksOf()).toEqual({
        spring: (before['spring'] ?? 0) + 3,
        autumn: (before['autumn'] ?? 0) + 2,
        'renamed-beside': 7,
        'beside-slack': 0,
      })

      const sums = await sql`
        select segment_id, cast(replace(day, '-', '') as integer) as day, cast(sum(clicks.people) as bigint) as people
        from clicks join click_totals on click_totals.link_id = clicks.link_id
        where clicks.people > 0 group by 1, 2 order by 1, 2`.execute(db)
      const stored = db.selectFrom('segment_clicks').selectAll().where('people', '<>', 0)
      expect(await stored.orderBy('segment_id').orderBy('day').execute()).toEqual(sums.rows)
      // As 1.0.0 looks up the administrator's sessions and one-time links.
      const keys = db.selectFrom('api_keys').select('id')
      const { id: api_key_id } = await keys.executeTakeFirstOrThrow()
      const person = { person_id: 'u', person_name: 'Ana', workspace: 'Acme', allowed_hosts: null }
      const link = createMemberLink({ api_key_id, ...person, role: 'creator' }, Date.now())
      const { token } = await database.write(link)
      const hash = createHash('sha256').update(token).digest('hex')
      const found = db.selectFrom('dashboard_tokens').select('role').where('hash', '=', hash)
      expect(await found.execute()).toEqual([])

      const campaigns = db
        .selectFrom('segments')
        .innerJoin('segment_clicks', 'segment_id', 'id')
        .select(['utm_campaign', 'people'])
        .where('utm_campaign', 'in', ['old', 'new'])
        .where('people', '<>', 0)
      expect(await campaigns.execute()).toEqual([{ utm_campaign: 'new', people: 7 }])

      const destinations = db
        .selectFrom('link_destinations')
        .select(['destination_url', 'revision'])
      const beside = { destination_url: 'https://example.com/beside', revision: 1 }
      expect(await destinations.execute()).toEqual([beside])
    },
  )
})

import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import type { DatabaseKind } from '../../../src/database/database-url.ts'
import { BACKFILLS, fillNext, runBackfills } from '../../../src/service/store/backfills.ts'
import { rowsOf } from '../../support/database-contents.ts'
import { openDatabase } from '../../support/open-database.ts'
import { postgresSkipped } from '../../support/postgres.ts'
import { restoreReleased } from '../../support/released.ts'
import { makeTempDir } from '../../support/temp-dir.ts'

const logger = pino({ enabled: false })
const KINDS: DatabaseKind[] = postgresSkipped ? ['sqlite'] : ['sqlite', 'postgres']

async function restore(kind: DatabaseKind): Promise<string> {
  const directory = await makeTempDir()
  onTestFinished(() => directory.remove())
  return restoreReleased(kind, directory.path)
}

test.each(KINDS)('an upgrade that is stopped after any part continues there: %s', async (kind) => {
  const url = await restore(kind)
  for (const name of Object.keys(BACKFILLS)) {
    for (let parts = 0; parts < 3; parts++) {
      // Each part is committed on its own, so closing is as good as `kill -9`.
      const database = await openDatabase(url)
      await database.write(fillNext(name, 4))
      await database.close()
    }
  }
  const database = await openDatabase(url)
  const { rows } = await sql<{ filled: number }>`select filled from backfills`.execute(database.db)
  expect(Math.max(...rows.map(({ filled }) => filled))).toBe(12)
  await runBackfills(database, logger)
  await database.close()

  const wholeUrl = await restore(kind)
  const whole = await openDatabase(wholeUrl)
  await runBackfills(whole, logger)
  await whole.close()
  const [stopped, expected] = [await rowsOf(url), await rowsOf(wholeUrl)]
  for (const table of ['links', 'click_totals', 'link_destinations', 'backfills']) {
    expect(stopped.get(table)?.map(withoutSegment), table).toEqual(
      expected.get(table)?.map(withoutSegment),
    )
  }
  expect(stopped.get('backfills')).toEqual([])
  expect(stopped.get('segment_clicks')).toHaveLength(expected.get('segment_clicks')?.length ?? 0)
})

/** Segments might have other numbers. */
function withoutSegment(row: Record<string, unknown>): Record<string, unknown> {
  return { ...row, segment_id: undefined }
}

test.skipIf(postgresSkipped)(
  'an index that PostgreSQL could not finish is built again',
  async () => {
    const database = await openDatabase(await restore('postgres'))
    onTestFinished(() => database.close())
    const { db } = database
    await runBackfills(database, logger)
    const ofIndex = sql`where indexrelid = 'links_off'::regclass`
    await sql`update pg_index set indisvalid = false ${ofIndex}`.execute(db)
    await db.insertInto('backfills').values({ name: 'links_off' }).execute()
    await runBackfills(database, logger)
    const { rows } = await sql`select indisvalid from pg_index ${ofIndex}`.execute(db)
    expect(rows).toEqual([{ indisvalid: true }])
  },
)

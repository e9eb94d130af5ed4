import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { MIGRATION_NAMES } from '../../src/database/migrations.ts'
import { withDirectory } from '../support/fixtures.ts'
import { openDatabase } from '../support/open-database.ts'
import { postgresSkipped } from '../support/postgres.ts'
import { restoreReleased } from '../support/released.ts'

/** Opens the database as soon as it gets input, and prints the domain records. */
const OPEN = `
const { openDatabase } = await import(process.argv[1])
process.stderr.write('ready')
process.stdin.once('data', async () => {
  const { db, close } = await openDatabase(process.argv[2])
  const rows = await db.selectFrom('domains').select('id').where('id', '=', 'default').execute()
  await close()
  process.stdout.write(JSON.stringify(rows))
  process.stdin.destroy()
})
`

const { test, directory } = withDirectory()

// Processes that start on a new database are in test/several-processes.slow.test.ts.
test.each(postgresSkipped ? (['sqlite'] as const) : (['sqlite', 'postgres'] as const))(
  'processes that start at once migrate a database of 1.0.0 once: %s',
  async (kind) => {
    const url = await restoreReleased(kind, directory.path)
    const source = join(import.meta.dirname, '../../src/database/database.ts')
    const openers = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', OPEN, source, url]),
    )
    await Promise.all(openers.map(({ stderr }) => once(stderr, 'data')))
    const outputs = openers.map(({ stdin, stdout }) => {
      stdin.write('go')
      return text(stdout)
    })
    expect(await Promise.all(outputs)).toEqual(Array(4).fill('[{"id":"default"}]'))
    const database = await openDatabase(url)
    const query = sql<{ name: string }>`select name from kysely_migration order by name`
    const { rows } = await query.execute(database.db)
    await database.close()
    expect(rows.map(({ name }) => name)).toEqual(MIGRATION_NAMES)
  },
)

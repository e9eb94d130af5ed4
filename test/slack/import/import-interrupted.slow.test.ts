import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isFullRun } from '../../support/full-run.ts'
import { freePort } from '../../support/free-port.ts'
import { openDatabase } from '../../support/open-database.ts'
import { createPostgresDatabase, MIGRATED, postgresSkipped } from '../../support/postgres.ts'
import { startProgram } from '../../support/program.ts'
import { makeTempDir } from '../../support/temp-dir.ts'
import { texts } from '../../support/texts.ts'
import { BOT_TOKEN, SIGNING_SECRET, startSimulatedWorkspace } from '../../support/workspace.ts'

const PATIENCE = { timeout: 60_000, interval: 10 }

const ROWS = 300
/** After how many links the program is killed. */
const KILLED_AFTER = [20, 110, 250]

/** Rows that can't work are among the others, and half have a back-half. */
const FILE = [
  'url,slug,title',
  ...Array.from({ length: ROWS }, (_, at) =>
    at % 50 === 49
      ? 'not a link,,'
      : `https://killed.test/${at},${at % 2 ? `killed-${at}` : ''},Title ${at}`,
  ),
].join('\n')

test.describe.each([
  ['SQLite', async (directory: string) => `file:${join(directory, 'backhalf.db')}`],
  ['PostgreSQL', () => createPostgresDatabase(MIGRATED)],
] as const)('on %s', (name, createUrl) => {
  describe.skipIf(name === 'PostgreSQL' && (postgresSkipped || !isFullRun))('', () => {
    test('an import goes on after kill -9, loses no row and creates no link twice', async () => {
      const directory = await makeTempDir()
      onTestFinished(() => directory.remove())
      const databaseUrl = await createUrl(directory.path)
      const slack = await startSimulatedWorkspace()
      onTestFinished(() => slack.close())
      const [port, servicePort] = [await freePort(), await freePort()]
      const start = () =>
        startProgram(
          'start',
          {
            DATABASE_URL: databaseUrl,
            ENCRYPTION_KEYS: Buffer.alloc(32, 5).toString('base64'),
            SLACK_API_URL: slack.apiUrl,
            SLACK_BOT_TOKEN: BOT_TOKEN,
            SLACK_SIGNING_SECRET: SIGNING_SECRET,
            PORT: String(port),
            SERVICE_PORT: String(servicePort),
          },
          directory.path,
        )
      let program = await start()
      onTestFinished(() => program.kill())
      slack.connectApp(`http://127.0.0.1:${port}/slack/events`)
      const database = await openDatabase(databaseUrl)
      onTestFinished(() => database.close())
      const imported = database.db
        .selectFrom('links')
        .where('destination_url', 'like', 'https://killed.test/%')
      const countLinks = async () => {
        const { links } = await imported
          .select(({ fn }) => fn.countAll().as('links'))
          .executeTakeFirstOrThrow()
        return Number(links)
      }

      const { ben } = slack
      await ben.opens('/shorten import', 'You’ll see a preview')
      ben.uploads('csv_file', { name: 'links.csv', bytes: new TextEncoder().encode(FILE) })
      await ben.submits()
      await ben.seesModal('*294 links can be created.*')
      await ben.submits()
      for (const count of KILLED_AFTER) {
        await vi.waitUntil(async () => (await countLinks()) >= count, PATIENCE)
        await program.kill()
        // As after two minutes, when the import no longer belongs to the process that was killed.
        await database.db.updateTable('imports').set({ run_at: 0 }).execute()
        program = await start()
      }
      const done = await slack.until(() =>
        ben.sees('app').find((message) => texts(message).includes('imported *links.csv*')),
      )
      expect(texts(done)).toMatch(/: \d+ links created.*6 rows failed\./)
      const shared = await slack.until(() => ben.sees('app').findLast(({ files }) => files))
      const [id = ''] = shared.files ?? []
      const csv = slack.workspace.file(id)?.bytes ?? ''
      const rows = parse<Record<string, string>>(csv, { bom: true, columns: true })
      expect(rows.map(({ row }) => Number(row))).toEqual(
        Array.from({ length: ROWS }, (_, at) => at + 2),
      )
      const made = await imported.select(['destination_url', 'back_half', 'title']).execute()
      expect(made).toHaveLength(294)
      expect(new Set(made.map((link) => link.destination_url)).size).toBe(294)
      const byDestination = new Map(made.map((link) => [link.destination_url, link]))
      for (const { short_url: shortUrl, result, url: destination = '', title } of rows) {
        if (destination === 'not a link') expect(result).toBe('failed')
        else {
          expect(result).toBe('created')
          expect(byDestination.get(destination)?.title).toBe(title)
          expect(shortUrl?.endsWith(`/${byDestination.get(destination)?.back_half}`)).toBe(true)
        }
      }
      // What was stored about the import is deleted.
      const stored = database.db.selectFrom('import_rows').selectAll()
      await vi.waitUntil(async () => (await stored.execute()).length === 0, PATIENCE)
    }, 120_000)
  })
})

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished } from 'vitest'
import { withDirectory } from '../support/fixtures.ts'
import { openDatabase } from '../support/open-database.ts'
import { createPostgresDatabase, postgresSkipped } from '../support/postgres.ts'
import { postgresBinaries } from '../support/postgres-server.ts'

/* The commands with which deploy/ makes a backup each night. */

const ROOT = join(import.meta.dirname, '../..')
const DAY_MS = 24 * 60 * 60 * 1000
const run = promisify(execFile)

const { test, at } = withDirectory()

/** Adds a backup to the folder, as if it had been made some days ago. */
async function addBackup(folder: string, name: string, daysAgo: number): Promise<void> {
  const time = new Date(Date.now() - daysAgo * DAY_MS)
  await writeFile(join(folder, name), '')
  await utimes(join(folder, name), time, time)
}

async function folderWithBackups(): Promise<string> {
  const folder = at('backups')
  await mkdir(folder)
  await addBackup(folder, 'backhalf-13-days', 13)
  await addBackup(folder, 'backhalf-15-days', 15)
  await addBackup(folder, 'other-15-days', 15)
  return folder
}

const NEW = expect.stringMatching(/^backhalf-\d{4}-\d{2}-\d{2}-\d{6}\.(?:db|dump)$/) as string

test('the unit of systemd backs up the SQLite database and then removes the oldest backups', async () => {
  const folder = await folderWithBackups()
  const env = { ...process.env, DATABASE_URL: `file:${at('links.db')}` }
  const unit = readFileSync(join(ROOT, 'deploy/backhalf-backup.service'), 'utf8')
  const commands = [...unit.matchAll(/^ExecStart(?:Pre|Post)?=(.+)$/gm)].map(([, command = '']) =>
    command
      .replaceAll('/var/lib/backhalf-backups', folder)
      .replaceAll('/opt/backhalf', ROOT)
      .replaceAll(/([$%])\1/g, '$1'),
  )
  const backUp = () => run('/bin/sh', ['-ec', commands.join('\n')], { cwd: ROOT, env })

  await expect(backUp()).rejects.toThrow('There is no database')
  expect(await readdir(folder)).toHaveLength(3)

  const database = await openDatabase(env.DATABASE_URL)
  onTestFinished(() => database.close())
  const failed = run('npm', ['run', 'admin', '--', 'backup', at('none/x.db')], { cwd: ROOT, env })
  await expect(failed).rejects.toThrow('can’t be written')
  const recorded = () => database.db.selectFrom('backups').selectAll().executeTakeFirst()
  expect(await recorded()).toEqual({ id: 1, made_at: null, failures: 1 })
  await backUp()
  const { made_at, failures } = (await recorded()) ?? {}
  expect([Date.now() - (made_at ?? 0) < 60_000, failures]).toEqual([true, 0])
  expect((await readdir(folder)).toSorted()).toEqual(['backhalf-13-days', NEW, 'other-15-days'])
})

test('if space is short, the oldest backups are removed first, but never the newest', async () => {
  const folder = await folderWithBackups()
  for (const days of [1, 2, 3]) await addBackup(folder, `backhalf-${days}.db`, days)
  await writeFile(join(folder, 'backhalf-1.db'), 'x')
  // Each backup takes one of four kilobytes of a small disk.
  const keptAfter = async (takenKb: number): Promise<string[]> => {
    const df = `echo; echo "/ 4 0 $((4 - ${takenKb} - $(ls backhalf-*.db | wc -l))) 0 /"`
    await writeFile(at('df'), `#!/bin/sh\n${df}\n`)
    await writeFile(at('du'), '#!/bin/sh\necho 1\n')
    for (const name of ['df', 'du']) await chmod(at(name), 0o755)
    const env = { ...process.env, PATH: [at('.'), process.env['PATH']].join(':') }
    await run(join(ROOT, 'deploy/make-room'), [folder], { env })
    return (await readdir(folder)).filter((name) => name.endsWith('.db')).toSorted()
  }
  expect(await keptAfter(0)).toEqual(['backhalf-1.db', 'backhalf-2.db', 'backhalf-3.db'])
  expect(await keptAfter(1)).toEqual(['backhalf-1.db', 'backhalf-2.db'])
  expect(await keptAfter(9)).toEqual(['backhalf-1.db'])
})

describe.skipIf(postgresSkipped)('the command for Compose', () => {
  test('backs up the PostgreSQL database and then removes the oldest backups', async () => {
    const url = await createPostgresDatabase()
    const database = await openDatabase(url)
    onTestFinished(() => database.close())
    const recorded = () => database.db.selectFrom('backups').selectAll().executeTakeFirst()
    const folder = await folderWithBackups()
    // Instead of running a program in the container, it runs PostgreSQL's own here.
    const backUp = async (pgDump: string): Promise<unknown> => {
      await writeFile(
        at('docker'),
        `#!/bin/sh\nshift 4\ncase $1 in pg_dump) ${pgDump};; psql) exec psql ${url} "$4";; *) exec "$@";; esac\n`,
      )
      await chmod(at('docker'), 0o755)
      const path = [at('.'), postgresBinaries, process.env['PATH']].join(':')
      const env = { ...process.env, PATH: path }
      return run(join(ROOT, 'deploy/backup-compose'), [folder], { env })
    }

    await expect(backUp(`pg_dump --format=custom ${url} | head --bytes=20000`)).rejects.toThrow()
    const complete = (await readdir(folder)).filter((name) => !name.endsWith('.partial'))
    expect(complete).toHaveLength(3)

    expect(await recorded()).toEqual({ id: 1, made_at: null, failures: 1 })
    await backUp(`exec pg_dump --format=custom ${url}`)
    expect(await recorded()).toMatchObject({ made_at: expect.any(Number) as number, failures: 0 })
    const left = (await readdir(folder)).filter((name) => !name.endsWith('.partial'))
    expect(left.toSorted()).toEqual(['backhalf-13-days', NEW, 'other-15-days'])
  })
})

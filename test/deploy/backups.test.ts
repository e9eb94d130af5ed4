import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { withDirectory } from '../support/fixtures.ts'
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
  const commands = [...unit.matchAll(/^ExecStart(?:Post)?=(.+)$/gm)].map(([, command = '']) =>
    command.replaceAll('/var/lib/backhalf-backups', folder).replaceAll(/([$%])\1/g, '$1'),
  )
  const backUp = () => run('/bin/sh', ['-ec', commands.join('\n')], { cwd: ROOT, env })

  await expect(backUp()).rejects.toThrow('There is no database')
  expect(await readdir(folder)).toHaveLength(3)

  await (await openDatabase(env.DATABASE_URL)).close()
  await backUp()
  expect((await readdir(folder)).toSorted()).toEqual(['backhalf-13-days', NEW, 'other-15-days'])
})

describe.skipIf(postgresSkipped)('the command for Compose', () => {
  test('backs up the PostgreSQL database and then removes the oldest backups', async () => {
    const url = await createPostgresDatabase()
    await (await openDatabase(url)).close()
    const folder = await folderWithBackups()
    // Instead of running a program in the container, it runs PostgreSQL's own here.
    const backUp = async (pgDump: string): Promise<unknown> => {
      await writeFile(
        at('docker'),
        `#!/bin/sh\nshift 4\ncase $1 in pg_dump) ${pgDump};; *) exec "$@";; esac\n`,
      )
      await chmod(at('docker'), 0o755)
      const path = [at('.'), postgresBinaries, process.env['PATH']].join(':')
      const env = { ...process.env, PATH: path }
      return run(join(ROOT, 'deploy/backup-compose'), [folder], { env })
    }

    await expect(backUp(`pg_dump --format=custom ${url} | head --bytes=20000`)).rejects.toThrow()
    const complete = (await readdir(folder)).filter((name) => !name.endsWith('.partial'))
    expect(complete).toHaveLength(3)

    await backUp(`exec pg_dump --format=custom ${url}`)
    const left = (await readdir(folder)).filter((name) => !name.endsWith('.partial'))
    expect(left.toSorted()).toEqual(['backhalf-13-days', NEW, 'other-15-days'])
  })
})

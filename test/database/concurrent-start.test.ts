import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTempDir } from '../support/temp-dir.ts'

/** A program that opens the database as soon as it gets input, and prints the domain records. */
const OPEN = `
const { openDatabase } = await import(process.argv[1])
process.stderr.write('ready')
process.stdin.once('data', async () => {
  const { db, close } = await openDatabase(process.argv[2])
  const rows = await db.selectFrom('domains').select('id').execute()
  await close()
  process.stdout.write(JSON.stringify(rows))
  process.stdin.destroy()
})
`

let directory: Awaited<ReturnType<typeof makeTempDir>>

beforeAll(async () => {
  directory = await makeTempDir()
})
afterAll(() => directory.remove())

test('several processes can open the same new SQLite file at once', async () => {
  const source = join(import.meta.dirname, '../../src/database/database.ts')
  const url = `file:${join(directory.path, 'new.db')}`
  const openers = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', OPEN, source, url]),
  )
  await Promise.all(openers.map(({ stderr }) => once(stderr, 'data')))
  const outputs = openers.map(({ stdin, stdout }) => {
    stdin.write('go')
    return text(stdout)
  })
  expect(await Promise.all(outputs)).toEqual(Array(6).fill('[{"id":"default"}]'))
})

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTempDir } from '../support/temp-dir.ts'

const OPEN = `
const { openDatabase } = await import(process.argv[1])
const { db, close } = await openDatabase(process.argv[2])
const rows = await db.selectFrom('domains').select('id').execute()
await close()
process.stdout.write(JSON.stringify(rows))
`

let directory: Awaited<ReturnType<typeof makeTempDir>>

beforeAll(async () => {
  directory = await makeTempDir()
})
afterAll(() => directory.remove())

test('several processes may open one new SQLite file at once', async () => {
  const source = join(import.meta.dirname, '../../src/database/database.ts')
  const url = `file:${join(directory.path, 'new.db')}`
  const open = () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', OPEN, source, url])
  const outputs = await Promise.all([open(), open(), open(), open()])
  expect(outputs.map(({ stdout }) => stdout)).toEqual(Array(4).fill('[{"id":"default"}]'))
})

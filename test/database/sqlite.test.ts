import {
  chmod,
  chown,
  copyFile,
  open as openFile,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { DatabaseSync } from 'node:sqlite'
import type { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { backupSqlite } from '../../src/database/backup.ts'
import type { Database } from '../../src/database/database.ts'
import { DatabaseUnavailableError } from '../../src/database/errors.ts'
import { forgetWorkspace } from '../../src/workspaces/forget.ts'
import { withDirectory } from '../support/fixtures.ts'
import { openDatabase } from '../support/open-database.ts'
import { reusedThreads } from '../support/reused-threads.ts'
import { insert, ownerRow } from '../support/rows.ts'
import {
  addAccountAndFail,
  addAccounts,
  addAccountsDespiteErrors,
  TEST_WRITER_THREADS,
} from '../support/writes.ts'

const { test, directory, at } = withDirectory()

async function open(
  path = at('a.db'),
  options?: Parameters<typeof openDatabase>[1],
): Promise<Database> {
  const database = await openDatabase(`file:${path}`, { threads: TEST_WRITER_THREADS, ...options })
  onTestFinished(() => database.close())
  return database
}

/** Holds the write lock, as another process would, until it is released or the test ends. */
function lockElsewhere(): { release: () => void } {
  const other = new DatabaseSync(at('a.db'))
  onTestFinished(() => other.close())
  other.exec('begin immediate')
  return { release: () => other.exec('rollback') }
}

const addOwner = (database: Database, id: string) => insert(database, 'owners', ownerRow(id))
const ownerIds = async ({ db }: Database) =>
  (await db.selectFrom('owners').select('id').orderBy('id').execute()).map(({ id }) => id)
const domainIds = async ({ db }: Database) =>
  (await db.selectFrom('domains').select('id').execute()).map(({ id }) => id)

/** A secret of the Slack app. */
const SEALED = Buffer.from('sealed bytes of a token'.repeat(40))

test('reads go on while another process holds the write lock, and a write waits for it', async () => {
  const database = await open()
  const { release } = lockElsewhere()
  const written = addOwner(database, 'ana')
  expect(await domainIds(database)).toEqual(['default'])
  release()
  await written
})

test('a write fails if another process holds the lock for too long', async () => {
  const database = await open(at('a.db'), { writeTimeoutMs: 500 })
  const { release } = lockElsewhere()
  let turns = 0
  const timer = setInterval(() => turns++, 10)
  onTestFinished(() => clearInterval(timer))
  const outcomes = await Promise.allSettled([
    addOwner(database, 'ana'),
    database.write(addAccounts('ben')),
  ])
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ reason: expect.any(DatabaseUnavailableError) as unknown })
  }
  expect(turns).toBeGreaterThan(0) // The event loop was not blocked.
  release()
  await addOwner(database, 'ana')
})

test('a write that fails does not affect other writes and statements', async () => {
  const database = await open()
  const write = (id: string) => database.write(addAccounts(id))
  const outcomes = await Promise.allSettled([
    write('a'),
    database.write(addAccountAndFail('b')),
    addOwner(database, 'c'),
    write('d'),
  ])
  expect(outcomes).toMatchObject([
    { status: 'fulfilled' },
    { reason: { message: 'b failed' } },
    { status: 'fulfilled' },
    { status: 'fulfilled' },
  ])
  expect(await ownerIds(database)).toEqual(['a', 'c', 'd'])
})

test('a transaction must be a write', async () => {
  const { db } = await open()
  const transaction = db.transaction().execute((within) => within.selectFrom('owners').execute())
  await expect(transaction).rejects.toThrow('a transaction must be a write (write.ts)')
})

test('says that the disk is full, and writes again when it has room', async () => {
  const database = await open()
  await sql`pragma max_page_count = 1`.execute(database.db) // As many pages as there are.
  const large = { ...ownerRow('large'), name: 'x'.repeat(100_000) }
  const full = 'The database is not available: its disk is full'
  await expect(insert(database, 'owners', large)).rejects.toThrow(full)
  // SQLite has rolled back, so the rest of the transaction must not be committed.
  const rest = database.write(addAccountsDespiteErrors('x'.repeat(100_000), 'ben'))
  await expect(rest).rejects.toThrow('an error has ended the transaction')
  expect(await ownerIds(database)).toEqual([])
  await sql`pragma max_page_count = 1000000`.execute(database.db)
  await insert(database, 'owners', large)
})

test('the last row might have an id above 2^53, like rows of the search index', async () => {
  const database = await open()
  await sql`insert into search_changes (number) values (9007749010554880)`.execute(database.db)
  await addOwner(database, 'ana')
  expect(await ownerIds(database)).toEqual(['ana'])
})

type Act = (path: string) => Promise<unknown>

const OVERWRITTEN = 'overwritten with an earlier copy of itself'
const ALL = ['backed up', 'first']

/** What an operator can do to the files of a running database, and the owners that are there after a restart. */
const REPLACEMENTS: [string, Act, string[]][] = [
  ['replaced', (path) => rename(`${path}.backup`, path), ['backed up']],
  ['deleted', (path) => rm(path), []],
  [
    'replaced behind a link',
    async (path) => rename(`${path}.backup`, await realpath(path)),
    ['backed up'],
  ],
  // `cp` writes into the same file.
  ['overwritten', (path) => copyFile(`${path}.backup`, path), ['backed up']],
  [OVERWRITTEN, (path) => copyFile(`${path}.earlier`, path), []],
  // In these cases, SQLite moves the contents of the log, which is still open, into the file when it is closed.
  ['moved away and back', (path) => rename(path, `${path}.away`), ALL],
  ['separated from its log', (path) => rm(`${path}-wal`), ALL],
]

test.each(REPLACEMENTS)('a file that was %s is never written again', async (what, act, kept) => {
  const path = at('a.db')
  if (what.endsWith('behind a link')) await symlink(at('real.db'), path)
  const database = await openDatabase(`file:${path}`, { threads: TEST_WRITER_THREADS })
  await copyFile(path, `${path}.earlier`)
  const lost: unknown[] = []
  database.watchLinks({ changed: () => {}, missed: () => {}, lost: (why) => lost.push(why) })
  await addOwner(database, 'backed up')
  await backupSqlite(path, `${path}.backup`)
  await addOwner(database, 'first')
  if (what === OVERWRITTEN) {
    await addOwner(database, 'x'.repeat(100_000))
    await database.eraseDeleted() // Moves the log's contents into the file.
    await addOwner(database, 'last') // Sees the file's new header.
  }
  await act(path)
  const refusal =
    /was replaced, overwritten or deleted .* restore a backup \(npm run admin -- restore FILE\)/
  for (const write of [addOwner(database, 'ana'), database.write(addAccounts('ana'))]) {
    await expect(write).rejects.toThrow(refusal)
  }
  const why = [{ message: expect.stringMatching(refusal) as string }]
  await expect.poll(() => lost).toMatchObject(why)
  await expect(database.checkWritable()).rejects.toThrow(refusal)
  const read = ownerIds(database)
  if (what.startsWith('overwritten')) await expect(read).rejects.toThrow(refusal)
  else expect(await read).toEqual(['backed up', 'first']) // Redirects go on.
  if (what.includes('back')) await rename(`${path}.away`, path)
  await expect(addOwner(database, 'ana')).rejects.toThrow(refusal)
  await database.close()
  expect(await ownerIds(await open(path))).toEqual(kept)
})

test('makes the files readable only by their owner, even files that already exist', async () => {
  const path = at('new/a.db')
  const modes = async (...paths: string[]) =>
    Promise.all(paths.map(async (file) => ((await stat(file)).mode & 0o777).toString(8)))
  const files = [path, `${path}-wal`, `${path}-shm`]
  const database = await open(path)
  expect(await modes(join(path, '..'), ...files)).toEqual(['700', '600', '600', '600'])

  for (const file of files) await chmod(file, 0o644)
  await open(path)
  expect(await modes(...files)).toEqual(['600', '600', '600'])
  await addOwner(database, 'ana')
})

test('no file contains data of a workspace after its uninstall', async () => {
  const path = at('a.db')
  const database = await open()
  const contents = async () =>
    Buffer.concat(await Promise.all([path, `${path}-wal`].map((file) => readFile(file))))
  const installation = { sealed: SEALED, installed_by: null, installed_at: 0 }
  await insert(database, 'installations', { workspace_id: 'T0SECRETTEAM', ...installation })
  expect((await contents()).includes(SEALED.subarray(0, 30))).toBe(true)
  await forgetWorkspace(database, 'T0SECRETTEAM')
  for (const secret of [SEALED.subarray(0, 30), 'T0SECRETTEAM']) {
    expect((await contents()).includes(secret)).toBe(false)
  }
})

/** Prints why a database can't be opened. Root could write to any file, so it runs as `nobody`. */
const OPEN = `
const { openDatabase } = await import(process.argv[1])
await openDatabase(process.argv[2]).catch((error) => console.log(error.message))
`
const { uid, gid } = userInfo()
const user = uid === 0 ? { uid: 65_534, gid: 65_534 } : { uid, gid }

test.each([
  ['file', 0o755],
  ['file in a read-only folder', 0o555],
])('reports a read-only %s at the start', async (_what, folderMode) => {
  const path = at('a.db')
  await (await openDatabase(`file:${path}`)).close()
  await chmod(path, 0o400)
  await Promise.all([directory.path, path].map((each) => chown(each, user.uid, user.gid)))
  await chmod(directory.path, folderMode)
  const source = join(import.meta.dirname, '../../src/database/database.ts')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', OPEN, source, `file:${path}`],
    { ...user, cwd: '/' },
  ).finally(() => chmod(directory.path, 0o755))
  expect(stdout).toContain(
    'The database in DATABASE_URL can’t be opened: The database is not available: it is read-only',
  )
})

test('reports a damaged file, or another one, at the start', async () => {
  const path = at('a.db')
  await (await openDatabase(`file:${path}`)).close()
  const damaged = await readFile(path)
  damaged.fill(0xff, 3 * 4096) // The header and the schema stay.
  for (const contents of [damaged, 'not a database']) {
    await writeFile(path, contents)
    await expect(openDatabase(`file:${path}`)).rejects.toThrow(
      'The database in DATABASE_URL can’t be opened: The database is not available: its file is damaged',
    )
  }
})

test('a query that finds damage says so', async () => {
  const path = at('a.db')
  const database = await open()
  await addOwner(database, 'ana')
  await database.eraseDeleted() // Moves everything from the log into the file.
  const { rows } = await sql<{ page: number }>`
    select rootpage as page from sqlite_master where name = 'deliveries'`.execute(database.db)
  const file = await openFile(path, 'r+')
  await file.write(Buffer.alloc(4096, 0xff), 0, 4096, ((rows[0]?.page ?? 0) - 1) * 4096)
  await file.close()
  for (const db of [database.db, database.longReads]) {
    await expect(db.selectFrom('deliveries').selectAll().execute()).rejects.toThrow(
      'The database is not available: its file is damaged. Stop Backhalf and restore a backup',
    )
  }
})

/** Takes SQLite about a quarter of a second. */
const slowly = sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 1500000)
  insert into owners (id, kind, name, created_at) select 'slow', 'account', count(*), 0 from numbers`

test('while a write runs, the event loop turns, and reads don’t see what is not committed', async () => {
  const database = await open()
  let isDone = false
  const written = slowly.execute(database.db).then(() => (isDone = true))
  for (let turns = 0; turns < 5; turns++) await nextTurn()
  expect(await ownerIds(database)).toEqual([])
  expect(isDone).toBe(false)
  await written
  expect(await ownerIds(database)).toEqual(['slow'])
})

test('closing the database first finishes its writes', async () => {
  const path = at('a.db')
  const database = await openDatabase(`file:${path}`, { threads: TEST_WRITER_THREADS })
  const written = slowly.execute(database.db)
  await nextTurn()
  const queued = database.write(addAccounts('ana'))
  await database.close()
  await Promise.all([written, queued])
  expect(await ownerIds(await open(path))).toEqual(['ana', 'slow'])
})

test('if the thread ends during a commit, all of its writes fail, and might have been committed', async () => {
  let thread: Worker | undefined
  const start = (script: URL) => (thread = reusedThreads.start(script))
  const database = await open(at('a.db'), { threads: { ...reusedThreads, start } })
  await addOwner(database, 'first')
  const written = [slowly.execute(database.db), addOwner(database, 'ana')]
  await nextTurn() // Now the thread has both.
  await Promise.all([
    ...written.map((write) => expect(write).rejects.toMatchObject({ mayHaveCommitted: true })),
    thread?.terminate(),
  ])
  await addOwner(database, 'ben')
  expect(await ownerIds(database)).toEqual(['ben', 'first'])
})

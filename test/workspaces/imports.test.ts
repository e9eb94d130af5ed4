import { afterEach, expect, test } from 'vitest'
import type { ImportRow } from '../../src/workspaces/import-rows.ts'
import { createImports, ImportLostError } from '../../src/workspaces/imports.ts'
import { describeOnDatabase } from '../support/databases.ts'

const MINUTE_MS = 60_000

describeOnDatabase((opened) => {
  let now = 1_000_000
  const startProcess = () => createImports({ database: opened.database, now: () => now })
  const file = (id: string, createdBy = 'U1', workspaceId = 'T1') => ({
    id,
    workspaceId,
    createdBy,
    fileName: 'links.csv',
    message: { channel: createdBy },
  })
  const ROWS: ImportRow[] = Array.from({ length: 250 }, (_, at) => ({
    number: at + 2,
    draft: JSON.stringify({ title: `Row ${at}` }),
    outcome: at === 7 ? { reason: 'Wrong' } : undefined,
  }))

  afterEach(async () => {
    await opened.database.db.deleteFrom('imports').execute()
    await opened.database.db.deleteFrom('import_rows').execute()
  })

  test('of two processes, one works on an import, until two minutes after it has last kept it', async () => {
    const [one, other] = [startProcess(), startProcess()]
    expect(await one.add(file('A'), ROWS)).toBe('added')
    const taken = await Promise.all([one.claim('A'), other.claim('A')])
    expect(taken.filter(Boolean)).toMatchObject([{ ...file('A'), isStopped: false }])
    now += MINUTE_MS
    const held = taken.find((found) => found !== undefined)
    if (!held) throw new Error('no process has taken it')
    await one.renewLease(held)
    now += 2 * MINUTE_MS - 1
    expect(await other.due(10)).toEqual([])
    now += 1
    expect(await other.due(10)).toEqual(['A'])
    const next = await other.claim('A')
    if (!next) throw new Error('the other process could not take it')
    // The first process was too slow, and must not go on.
    await expect(one.renewLease(held)).rejects.toThrow(ImportLostError)
    await expect(one.note(held, [[2, 'started']])).rejects.toThrow(ImportLostError)
    await expect(one.setMessage(held, { channel: 'C9' })).rejects.toThrow(ImportLostError)
    await expect(one.end(held)).rejects.toThrow(ImportLostError)
    expect((await other.rows('A')).slice(0, 1)).toEqual(ROWS.slice(0, 1))
    await other.renewLease(next)
    await expect(one.unclaim(held, now)).rejects.toThrow(ImportLostError)
    expect(await one.claim('A')).toBeUndefined()
    await other.unclaim(next, now + MINUTE_MS)
    expect(await one.claim('A')).toBeUndefined()
    now += MINUTE_MS
    expect(await one.claim('A')).toBeDefined()
  })

  test('starts no import in a workspace that has uninstalled the app', async () => {
    const store = createImports({ ...opened, installedByOAuth: true })
    await expect(store.add(file('A'), ROWS)).rejects.toThrow('not installed')
    expect(await store.due(10)).toEqual([])
  })

  test('keeps each row with its outcome, and deletes all when it ends', async () => {
    const store = startProcess()
    await store.add(file('B'), ROWS)
    expect(await store.add(file('B'), ROWS)).toBe('added')
    expect(await store.rows('B')).toEqual(ROWS)
    const held = await store.claim('B')
    if (!held) throw new Error('it could not be taken')
    await store.note(held, [
      [2, 'started'],
      [3, { shortUrl: 'https://a.test/1', existed: true }],
    ])
    const rows = await store.rows('B')
    expect(rows.slice(0, 2).map(({ outcome }) => outcome)).toEqual([
      'started',
      { shortUrl: 'https://a.test/1', existed: true },
    ])
    await store.stop('T1', 'B')
    await store.renewLease(held)
    expect(held.isStopped).toBe(true)
    await store.end(held)
    expect(await store.rows('B')).toEqual([])
    await expect(store.renewLease(held)).rejects.toThrow(ImportLostError)
    expect(await store.createdBy('T1', 'B')).toBeUndefined()
  })

  test('an import that waits is taken at once when it is stopped', async () => {
    const store = startProcess()
    await store.add(file('E'), ROWS)
    const held = await store.claim('E')
    if (!held) throw new Error('it could not be taken')
    await store.unclaim(held, now + 60 * MINUTE_MS)
    expect(await store.due(10)).toEqual([])
    await store.stop('T1', 'E')
    expect(await store.due(10)).toEqual(['E'])
    expect(await store.claim('E')).toMatchObject({ isStopped: true })
  })

  test('runs one import of a person and five of a workspace at once', async () => {
    const store = startProcess()
    const added = []
    for (const [at, who] of ['U1', 'U1', 'U2', 'U3', 'U4', 'U5', 'U6'].entries()) {
      added.push(await store.add(file(`C${at}`, who), []))
    }
    expect(added).toEqual(['added', 'full', 'added', 'added', 'added', 'added', 'full'])
    expect(await store.add(file('D', 'U1', 'T2'), [])).toBe('added')
  })
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { forgetPerson, forgetWorkspace } from '../../src/workspaces/forget.ts'
import { createKeyring } from '../../src/workspaces/keyring.ts'
import { DEFAULT_SETTINGS } from '../../src/workspaces/settings.ts'
import { describeOnDatabase } from '../support/databases.ts'
import { insert } from '../support/rows.ts'

const KEYRING = createKeyring([Buffer.alloc(32, 1)])

/** The settings of a workspace whose weekly report the person set up. */
const SETTINGS = JSON.stringify({
  ...DEFAULT_SETTINGS,
  weeklyReport: { channel: 'C1', day: 1, hour: 9, timeZone: 'UTC', setBy: 'U_LEFT' },
})

/** The columns that hold a person's ID. */
const PERSON = /^(?:user_id|\w+_by)$/

function valueFor({ name, dataType }: { name: string; dataType: string }, workspace: string) {
  if (/^(?:workspace_|import_)?id$/.test(name)) return workspace
  if (PERSON.test(name)) return 'U_LEFT'
  if (name === 'settings') return SETTINGS
  if (/blob|bytea/i.test(dataType)) return Buffer.from('sealed')
  return /int/i.test(dataType) ? 1 : 'text'
}

describeOnDatabase((opened) => {
  /** Adds a row of each workspace to all tables about workspaces. @returns a function that reads what they hold now */
  async function fillTables(...workspaces: string[]) {
    const { db } = opened.database
    const tables = (await db.introspection.getTables()).filter(({ columns }) =>
      columns.some(({ name }) => name === 'workspace_id'),
    )
    for (const { name, columns } of tables) {
      const rows = workspaces.map((workspace) =>
        Object.fromEntries(columns.map((column) => [column.name, valueFor(column, workspace)])),
      )
      await db.deleteFrom(name as never).execute()
      await insert(opened.database, name as never, ...(rows as never[]))
    }
    expect(tables.length).toBeGreaterThanOrEqual(5)
    const readTable = async (name: string): Promise<Record<string, unknown>[]> =>
      (await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)).rows
    return () => Promise.all(tables.map(({ name }) => readTable(name)))
  }

  test('deletes every row of the workspace and no row of another', async () => {
    const readTables = await fillTables('T_GONE', 'T_STAYS')
    await forgetWorkspace(opened.database, 'T_GONE')
    for (const rows of await readTables()) {
      expect(rows).toMatchObject([{ workspace_id: 'T_STAYS' }])
    }
  })

  test('erases a person’s ID from every table of the workspace, and no one else’s', async () => {
    const readTables = await fillTables('T_HERE', 'T_OTHER')
    const rowsOf = async (id: string) =>
      (await readTables()).flat().filter((row) => row['workspace_id'] === id)
    const others = await rowsOf('T_OTHER')
    expect(await forgetPerson(opened.database, KEYRING, 'T_HERE', 'U_OTHER')).toBe(0)
    expect(await forgetPerson(opened.database, KEYRING, 'T_HERE', 'U_LEFT')).toBe(1)
    expect(await rowsOf('T_OTHER')).toEqual(others)
    expect(JSON.stringify(await rowsOf('T_HERE'))).not.toContain('U_LEFT')
  })

  test('withdraws the workspace’s key in the same transaction, but not if the app was installed again', async () => {
    const { db } = opened.database
    const row = { workspace_id: 'T_HOOK', sealed: Buffer.from('sealed'), installed_at: 1_000 }
    await insert(opened.database, 'installations', { ...row, installed_by: 'U1' })
    /** Copies how many installations are left into another table, which tests can see. */
    const note = (id: string) => {
      const left = sql<string>`(select count(*) from installations where workspace_id = ${id})`
      const host = sql<string>`${id} || ': ' || ${left} || ' left'`
      return db.insertInto('public_hosts').values({ host, used_at: 0 })
    }
    const fail = () => db.insertInto('public_hosts').values({ host: '', used_at: sql`null` })
    const noted = async () =>
      (await db.selectFrom('public_hosts').select('host').execute())[0]?.host
    const left = db.selectFrom('installations').select('installed_at')
    expect(await forgetWorkspace(opened.database, 'T_HOOK', 1_000, note)).toBe(false)
    expect(await noted()).toBeUndefined()
    expect(await left.where('workspace_id', '=', 'T_HOOK').execute()).toHaveLength(1)
    const failing = forgetWorkspace(opened.database, 'T_HOOK', 1_001, fail)
    await expect(failing).rejects.toThrow(/null/i)
    expect(await forgetWorkspace(opened.database, 'T_HOOK', 1_001, note)).toBe(true)
    expect(await noted()).toBe('T_HOOK: 0 left')
  })
})

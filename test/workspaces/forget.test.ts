import { expect, test } from 'vitest'
import { forgetPerson, forgetWorkspace } from '../../src/workspaces/forget.ts'
import { createKeyring } from '../../src/workspaces/keyring.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'
import { addAccountAndFail, noteInstallations } from '../support/writes.ts'

const KEYRING = createKeyring([Buffer.alloc(32, 1)])

describeOnEveryDatabase((opened) => {
  test('withdraws the workspace’s key in the same transaction, but not if the app was installed again', async () => {
    const { db } = opened.database
    const row = { workspace_id: 'T_HOOK', sealed: Buffer.from('sealed'), installed_at: 1_000 }
    await db
      .insertInto('installations')
      .values({ ...row, installed_by: 'U1' })
      .execute()
    const noted = async () =>
      (await db.selectFrom('public_hosts').select('host').execute())[0]?.host
    expect(await forgetWorkspace(opened.database, 'T_HOOK', 1_000, noteInstallations)).toBe(false)
    expect(await noted()).toBeUndefined()
    const failing = forgetWorkspace(opened.database, 'T_HOOK', 1_001, addAccountAndFail)
    await expect(failing).rejects.toThrow('T_HOOK failed')
    expect(await forgetWorkspace(opened.database, 'T_HOOK', 1_001, noteInstallations)).toBe(true)
    expect(await noted()).toBe('T_HOOK: 0 left')
  })

  test('deletes every row of the workspace and no row of another', async () => {
    const { db } = opened.database
    const tables = (await db.introspection.getTables()).filter(({ columns }) =>
      columns.some(({ name }) => name === 'workspace_id'),
    )
    for (const { name, columns } of tables) {
      for (const workspace of ['T_GONE', 'T_STAYS']) {
        const row = columns.map((column) => [column.name, valueFor(column, workspace)] as const)
        await db
          .insertInto(name as never)
          .values(Object.fromEntries(row))
          .execute()
      }
    }

    await forgetWorkspace(opened.database, 'T_GONE')

    const left = await Promise.all(
      tables.map(({ name }) =>
        db
          .selectFrom(name as never)
          .select('workspace_id' as never)
          .execute(),
      ),
    )
    expect(tables.length).toBeGreaterThanOrEqual(5)
    expect(left).toEqual(tables.map(() => [{ workspace_id: 'T_STAYS' }]))
  })
})

describeOnEveryDatabase((opened) => {
  test('erases a person’s ID from every table of the workspace, and no one else’s', async () => {
    const { db } = opened.database
    const tables = (await db.introspection.getTables()).filter(({ columns }) =>
      columns.some(({ name }) => name === 'workspace_id'),
    )
    for (const { name, columns } of tables) {
      const hasPeople = columns.some((column) => PERSON.test(column.name))
      for (const workspace of hasPeople ? ['T_HERE', 'T_OTHER'] : []) {
        const row = columns.map(
          (column) =>
            [
              column.name,
              PERSON.test(column.name) ? 'U_LEFT' : valueFor(column, workspace),
            ] as const,
        )
        await db
          .insertInto(name as never)
          .values(Object.fromEntries(row))
          .execute()
      }
    }
    expect(await forgetPerson(opened.database, KEYRING, 'T_HERE', 'U_OTHER')).toBe(0)
    expect(await forgetPerson(opened.database, KEYRING, 'T_HERE', 'U_LEFT')).toBe(1)
    for (const { name } of tables) {
      const rows = await db
        .selectFrom(name as never)
        .selectAll()
        .execute()
      const named = rows.filter((row) => Object.values(row).includes('U_LEFT'))
      const others = rows.filter((row) => Object.values(row).includes('T_OTHER'))
      expect(named).toEqual(others)
    }
  })
})

/** The columns that hold a person's ID. */
const PERSON = /^(?:user_id|\w+_by)$/

function valueFor({ name, dataType }: { name: string; dataType: string }, workspace: string) {
  if (name === 'workspace_id') return workspace
  if (/blob|bytea/i.test(dataType)) return Buffer.from('sealed')
  return /int/i.test(dataType) ? 1 : 'text'
}

import { expect, test } from 'vitest'
import { forgetWorkspace } from '../../src/workspaces/forget.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'

describeOnEveryDatabase((opened) => {
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

function valueFor({ name, dataType }: { name: string; dataType: string }, workspace: string) {
  if (name === 'workspace_id') return workspace
  if (/blob|bytea/i.test(dataType)) return Buffer.from('sealed')
  return /int/i.test(dataType) ? 1 : 'text'
}

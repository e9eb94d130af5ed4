import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createGroupCommit } from '../../src/database/group-commit.ts'
import { currentRequestId, inRequest } from '../../src/http/request-context.ts'
import { addOwner } from '../../src/service/store/owners.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'

describeOnEveryDatabase((opened) => {
  const owner = (name: string) => ({ kind: 'account' as const, name, now: 1 })
  const names = async () =>
    (await opened.database.db.selectFrom('owners').select('name').orderBy('id').execute()).map(
      ({ name }) => name,
    )

  test('concurrent writes share a transaction, and each gets its own result', async () => {
    const commits = createGroupCommit(opened.database.db)
    const transactions = new Set<unknown>()
    const results = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        commits.write('owner', async (transaction) => {
          transactions.add(transaction)
          return (await addOwner(transaction, owner(name))).name
        }),
      ),
    )
    expect(results).toEqual(['a', 'b', 'c'])
    expect(transactions.size).toBe(1)
    expect(await names()).toEqual(['a', 'b', 'c'])
  })

  test('reports how many writes each commit contains', async () => {
    const batches: number[] = []
    const commits = createGroupCommit(opened.database.db, undefined, (writes) =>
      batches.push(writes),
    )
    const write = (name: string) =>
      commits.write(undefined, (transaction) => addOwner(transaction, owner(name)))
    await Promise.all(['x', 'y', 'z'].map(write))
    await write('alone')
    expect(batches).toEqual([3, 1])
  })

  test('a failed write does not affect the others', async () => {
    const commits = createGroupCommit(opened.database.db)
    const outcomes = await Promise.allSettled([
      commits.write('owner', (transaction) => addOwner(transaction, owner('before'))),
      commits.write('owner', (transaction) =>
        sql`insert into nowhere values (1)`.execute(transaction),
      ),
      commits.write('owner', (transaction) => addOwner(transaction, owner('after'))),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((await names()).slice(-2)).toEqual(['before', 'after'])
  })

  test('each write runs under the ID of the request that asked for it', async () => {
    const commits = createGroupCommit(opened.database.db)
    const ids = ['1', '2', '3'].map((digit) => digit.repeat(32))
    const seen = await Promise.all(
      ids.map((id) => inRequest(() => commits.write('owner', async () => currentRequestId()), id)),
    )
    expect(seen).toEqual(ids)
  })

  test('executes more writes than fit into one transaction', async () => {
    const commits = createGroupCommit(opened.database.db)
    const before = (await names()).length
    await Promise.all(
      Array.from({ length: 250 }, (_, at) =>
        commits.write('owner', (transaction) => addOwner(transaction, owner(`many ${at}`))),
      ),
    )
    expect(await names()).toHaveLength(before + 250)
  })
})

import { afterEach, expect, test } from 'vitest'
import {
  APPROVAL_LIMITS,
  createLinkApprovals,
  type LinkApproval,
} from '../../src/workspaces/link-approvals.ts'
import { describeOnDatabase } from '../support/databases.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

describeOnDatabase((opened) => {
  let now = 1_000_000
  const startProcess = () => createLinkApprovals({ database: opened.database, now: () => now })
  const request = (id: string, more: Partial<LinkApproval> = {}): LinkApproval => ({
    ...{ id, workspaceId: 'T1', requestedBy: 'U1', draft: JSON.stringify({ id }) },
    ...more,
  })

  afterEach(async () => {
    await opened.database.db.deleteFrom('link_approvals').execute()
  })

  test('two approvers in different processes: one decides', async () => {
    const [one, other] = [startProcess(), startProcess()]
    expect(await one.add(request('A'))).toBe('added')
    expect(await other.add(request('A'))).toBe('exists')
    const taken = await Promise.all([one.claim(request('A')), other.claim(request('A'))])
    expect(taken.toSorted()).toEqual([false, true])
    await one.unclaim(request('A'))
    expect(await other.claim(request('A'))).toBe(true)
    await other.remove(request('A'))
    expect(await one.claim(request('A'))).toBe(false)
    expect(await one.find('T1', 'A')).toBeUndefined()
  })

  test('a person who asks again for the same link doesn’t ask twice, until there is a decision', async () => {
    const store = startProcess()
    expect(await store.add(request('A'))).toBe('added')
    const again = request('B', { draft: request('A').draft })
    expect(await store.add(again)).toBe('exists')
    expect(await store.add({ ...again, requestedBy: 'U2' })).toBe('added')
    await store.remove(request('A'))
    expect(await store.add({ ...again, id: 'C' })).toBe('added')
  })

  test('another decision is accepted two minutes after a process died while it decided', async () => {
    const store = startProcess()
    await store.add(request('B'))
    await store.claim(request('B'))
    now += 2 * MINUTE_MS - 1
    expect(await store.claim(request('B'))).toBe(false)
    now += 1
    expect(await store.claim(request('B'))).toBe(true)
  })

  test('ends requests after 14 days, each in one process, but none that is being decided', async () => {
    const [one, other] = [startProcess(), startProcess()]
    for (const id of ['C', 'D', 'E']) await one.add(request(id))
    now += APPROVAL_LIMITS.days * DAY_MS - 1
    expect(await one.removeExpired(10)).toEqual([])
    now += 1
    await one.claim(request('E'))
    const ended = await Promise.all([one.removeExpired(1), other.removeExpired(10)])
    expect(
      ended
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['C', 'D'])
    expect(await one.find('T1', 'E')).toBeDefined()
  })

  test('holds a limited number of requests of a person and of a workspace', async () => {
    const store = startProcess()
    const { perPerson: person, perWorkspace: workspace }: Record<string, number> = APPROVAL_LIMITS
    for (let at = 0; at < person; at++) await store.add(request(`F${at}`))
    expect(await store.add(request('G'))).toBe('full')
    expect(await store.add(request('F0'))).toBe('exists')
    for (let at = person; at < workspace; at++) {
      await store.add(request(`F${at}`, { requestedBy: `U${at}` }))
    }
    expect(await store.add(request('H', { requestedBy: 'U_NEW' }))).toBe('full')
    expect(await store.add(request('H', { workspaceId: 'T2' }))).toBe('added')
  })
})

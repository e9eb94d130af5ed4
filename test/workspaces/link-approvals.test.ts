import { afterEach, expect, test } from 'vitest'
import {
  APPROVAL_LIMITS,
  createLinkApprovals,
  type LinkApproval,
} from '../../src/workspaces/link-approvals.ts'
import { NotInstalledError } from '../../src/workspaces/installations.ts'
import { describeOnDatabase } from '../support/databases.ts'
import { insert } from '../support/rows.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

describeOnDatabase((opened) => {
  let now = 1_000_000
  const startProcess = () => createLinkApprovals({ database: opened.database, now: () => now })
  const request = (id: string, more: Partial<LinkApproval> = {}): LinkApproval => ({
    id,
    workspaceId: 'T1',
    requestedBy: 'U1',
    draft: JSON.stringify({ id }),
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
    const [claimedUntil = 0, ...others] = taken.filter((until) => until !== undefined)
    expect(others).toEqual([])
    await one.unclaim(request('A'), claimedUntil)
    expect(await other.claim(request('A'))).toBeDefined()
    await other.remove(request('A'))
    expect(await one.claim(request('A'))).toBeUndefined()
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
    const first = await store.claim(request('B'))
    now += 2 * MINUTE_MS - 1
    expect(await store.claim(request('B'))).toBeUndefined()
    now += 1
    expect(await store.claim(request('B'))).toBeDefined()
    // The first process was only slow. It doesn't end the claim of the second.
    await store.unclaim(request('B'), first ?? 0)
    expect(await store.claim(request('B'))).toBeUndefined()
  })

  test('ends requests after 14 days, each in one process, but none that is being decided', async () => {
    const [one, other] = [startProcess(), startProcess()]
    for (const id of ['C', 'D', 'E']) await one.add(request(id))
    now += APPROVAL_LIMITS.days * DAY_MS - 1
    expect(await one.removeExpired(10)).toEqual([])
    now += 1
    await one.claim(request('E'))
    const ended = await Promise.all([one.removeExpired(1), other.removeExpired(10)])
    const ids = ended.flatMap((requests) => requests.map(({ id }) => id))
    expect(ids.toSorted()).toEqual(['C', 'D'])
    expect(await one.find('T1', 'E')).toBeDefined()
  })

  test('asks for no link in a workspace that has uninstalled the app', async () => {
    const store = createLinkApprovals({ ...opened, installedByOAuth: true })
    await expect(store.add(request('A'))).rejects.toThrow(NotInstalledError)
  })

  test('holds a limited number of requests that arrive together', async () => {
    const { db } = opened.database
    const installation = { sealed: new Uint8Array(), installed_by: null, installed_at: 1 }
    await insert(opened.database, 'installations', { workspace_id: 'T3', ...installation })
    const store = createLinkApprovals({ ...opened, installedByOAuth: true })
    const requests = Array.from({ length: APPROVAL_LIMITS.perPerson + 5 }, (_, at) =>
      request(`I${at}`, { workspaceId: 'T3' }),
    )
    const added = await Promise.all(requests.map((added) => store.add(added)))
    expect(added.filter((outcome) => outcome === 'full')).toHaveLength(5)
    await db.deleteFrom('installations').execute()
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

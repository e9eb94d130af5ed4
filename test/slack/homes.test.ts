import type { WebClient } from '@slack/web-api'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import type { LinkPage } from '../../src/client/link-client.ts'
import type { Caller } from '../../src/slack/caller.ts'
import { createHomes } from '../../src/slack/homes.ts'
import type { ListPosition } from '../../src/slack/input/list-text.ts'
import type { Links } from '../../src/slack/links.ts'

/** Homes in front of a service that answers when it is told to, and of a Slack that notes. */
function setUp() {
  const asked: { page: number; answer: () => void }[] = []
  const published: string[] = []
  const links: Links = {
    connection: () =>
      Promise.resolve({
        apiKey: 'key-1234',
        domains: [{ name: 'dom_1', domain_name: 'go.example.com' }],
        source: 'connected',
      }),
    create: () => Promise.reject(new Error('not asked for here')),
    list: (_workspace, { page = 1 }) =>
      new Promise<LinkPage>((resolve) => {
        const answer = (): void =>
          resolve({ links: [], skipped: 0, page, perPage: 10, hasNext: false })
        asked.push({ page, answer })
      }),
  }
  const publish = vi.fn(({ view }: { view: object }) => {
    published.push(JSON.stringify(view))
    return Promise.resolve({ ok: true })
  })
  const client = {
    views: { publish },
    users: { info: () => Promise.resolve({ user: { is_admin: false } }) },
  } as unknown as WebClient
  const caller: Caller = { workspace: { id: 'T1' }, client, token: '', mayReadFiles: true }
  const logger = pino({ level: 'silent' })
  const homes = createHomes({ links, serviceUrl: 'https://links.example.com', logger })
  const isAsked = (count: number): Promise<unknown> =>
    vi.waitFor(() => expect(asked).toHaveLength(count), { interval: 1 })
  return { homes, caller, asked, isAsked, published, publish }
}

const at = (page: number): ListPosition => ({ sort_by: 'most_recent', order: 'desc', page })

test('of the pages that are asked for while one is fetched, only the last one is drawn', async () => {
  const { homes, caller, asked, isAsked, published } = setUp()
  const first = homes.turnTo(caller, 'U1', at(2))
  await isAsked(1)
  const others = [3, 4, 5].map((page) => homes.turnTo(caller, 'U1', at(page)))
  asked[0]?.answer()
  await isAsked(2)
  asked[1]?.answer()
  await Promise.all([first, ...others])
  expect(asked.map(({ page }) => page)).toEqual([2, 5])
  expect(published).toHaveLength(1)
  expect(published[0]).toContain('There is nothing on page 5')
})

test('one person’s Home does not wait for another’s', async () => {
  const { homes, caller, asked, isAsked } = setUp()
  const slow = homes.turnTo(caller, 'U1', at(1))
  const quick = homes.turnTo(caller, 'U2', at(2))
  await isAsked(2)
  asked[1]?.answer()
  await quick
  asked[0]?.answer()
  await slow
})

test('a change draws only the Home of somebody who has opened it, at the page where it is', async () => {
  const { homes, caller, asked, isAsked, publish } = setUp()
  await homes.refresh(caller, 'U1')
  await homes.refresh({ ...caller, workspace: { id: 'T2' } }, 'U2')
  expect(publish).not.toHaveBeenCalled()

  const turned = homes.turnTo(caller, 'U1', at(3))
  await isAsked(1)
  asked[0]?.answer()
  await turned
  const refreshed = homes.refresh(caller, 'U1')
  await isAsked(2)
  asked[1]?.answer()
  await refreshed
  expect(asked.map(({ page }) => page)).toEqual([3, 3])
})

test('a refresh that Slack does not take fails nothing, and the next one draws', async () => {
  const { homes, caller, asked, isAsked, publish } = setUp()
  const turned = homes.turnTo(caller, 'U1', at(1))
  await isAsked(1)
  asked[0]?.answer()
  await turned
  for (const attempt of [2, 3]) {
    if (attempt === 2) publish.mockRejectedValueOnce(new Error('Slack is down'))
    const refreshed = homes.refresh(caller, 'U1')
    await isAsked(attempt)
    asked[attempt - 1]?.answer()
    await refreshed
  }
  expect(publish).toHaveBeenCalledTimes(3)
})

test('what is known here is drawn at once in a tab that is empty, and not over one that is not', async () => {
  const { homes, caller, asked, isAsked, published } = setUp()
  for (const [attempt, isEmpty] of [true, false].entries()) {
    const opened = homes.open(caller, 'U1', isEmpty)
    await isAsked(attempt + 1)
    asked[attempt]?.answer()
    await opened
  }
  expect(published.map((view) => view.includes('Loading the links'))).toEqual([true, false, false])
})

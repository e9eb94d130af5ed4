import { randomUUID } from 'node:crypto'
import { WebAPIRateLimitedError } from '@slack/web-api'
import { expect, test, vi } from 'vitest'
import type { LinkPage } from '../../../src/client/link-client.ts'
import { FIRST_PAGE, type ListPosition } from '../../../src/slack/block-kit/list-position.ts'
import { createHomeTab } from '../../../src/slack/list/home-tab.ts'
import { fakeCaller, fakePlatform, NO_LINK_SERVICE } from '../../support/platform.ts'

/**
 * A Home tab whose link service answers when the test says so.
 *
 * @param canBeAborted whether a request ends at once when the app gives up on it
 */
function setUp({ canBeAborted = false } = {}) {
  const asked: { page: number; answer: () => void }[] = []
  const published: string[] = []
  const domains = [{ name: 'dom_1', domain_name: 'go.example.com' }]
  const platform = fakePlatform({
    linkService: {
      ...NO_LINK_SERVICE,
      connection: async () => ({ apiKey: 'key-1234', domains, source: 'connected' }),
      list: (_workspace, { page = 1 }, { signal } = {}) =>
        new Promise<LinkPage>((resolve, reject) => {
          if (canBeAborted) signal?.addEventListener('abort', () => reject(new Error('aborted')))
          const answer = (): void =>
            resolve({ links: [], skipped: 0, page, perPage: 10, hasNext: false })
          asked.push({ page, answer })
        }),
    },
  })
  const caller = fakeCaller({ userId: 'U1', workspace: { id: randomUUID() } })
  const { users, views } = caller.client
  vi.spyOn(users, 'info').mockResolvedValue({ ok: true, user: { is_admin: false } })
  const publish = vi.spyOn(views, 'publish').mockImplementation(async (options) => {
    published.push(JSON.stringify(options.view))
    return { ok: true }
  })
  const homeTab = createHomeTab(platform, { serviceUrl: 'https://links.example.com' })
  const isAsked = (count: number): Promise<unknown> =>
    vi.waitFor(() => expect(asked).toHaveLength(count), { interval: 1 })
  const { clock, logged } = platform
  return { clock, homeTab, caller, asked, isAsked, published, publish, logged }
}

const slackError = (error: string): Error => Object.assign(new Error(error), { data: { error } })

const at = (page: number): ListPosition => ({ sort_by: 'most_recent', order: 'desc', page })

test('draws only the last of the pages that are requested while one is fetched', async () => {
  const { homeTab, caller, asked, isAsked, published } = setUp()
  const first = homeTab.turnTo(caller, 'U1', at(2))
  await isAsked(1)
  const others = [3, 4, 5].map((page) => homeTab.turnTo(caller, 'U1', at(page)))
  asked[0]?.answer()
  await isAsked(2)
  asked[1]?.answer()
  await Promise.all([first, ...others])
  expect(asked.map(({ page }) => page)).toEqual([2, 5])
  expect(published).toHaveLength(1)
  expect(published[0]).toContain('There are no links on page 5.')
})

test('does not let a user who turns the page wait for the page before', async () => {
  const { homeTab, caller, asked, isAsked, published } = setUp({ canBeAborted: true })
  const hanging = homeTab.turnTo(caller, 'U1', at(2))
  await isAsked(1)
  const turned = homeTab.turnTo(caller, 'U1', at(3))
  await isAsked(2)
  asked[1]?.answer()
  await Promise.all([hanging, turned])
  expect(published).toHaveLength(1)
  expect(published[0]).toContain('There are no links on page 3.')
})

test('draws one user’s tab without waiting for another user’s', async () => {
  const { homeTab, caller, asked, isAsked } = setUp()
  const slow = homeTab.turnTo(caller, 'U1', at(1))
  const quick = homeTab.turnTo(caller, 'U2', at(2))
  await isAsked(2)
  asked[1]?.answer()
  await quick
  asked[0]?.answer()
  await slow
})

test('refreshes a tab at its current page, and only if its user has opened it', async () => {
  const { homeTab, caller, asked, isAsked, publish } = setUp()
  await homeTab.refresh(caller)
  await homeTab.refresh({ ...caller, workspace: { id: 'T2' }, userId: 'U2' })
  await homeTab.refresh({ ...caller, userId: undefined })
  expect(publish).not.toHaveBeenCalled()

  const turned = homeTab.turnTo(caller, 'U1', at(3))
  await isAsked(1)
  asked[0]?.answer()
  await turned
  await homeTab.refresh({ ...caller, workspace: { id: 'T2' } })
  await homeTab.refresh({ ...caller, userId: 'U2' })
  const refreshed = homeTab.refresh(caller)
  await isAsked(2)
  asked[1]?.answer()
  await refreshed
  expect(asked.map(({ page }) => page)).toEqual([3, 3])
})

test('publishes a tab again after a temporary failure of Slack', async () => {
  const { homeTab, caller, clock, asked, isAsked, publish, logged } = setUp()
  publish.mockRejectedValueOnce(new WebAPIRateLimitedError(20))
  const turned = homeTab.turnTo(caller, 'U1', at(1))
  await isAsked(1)
  asked[0]?.answer()
  await clock.endSleep(20_000)
  await turned
  expect(publish).toHaveBeenCalledTimes(2)
  expect(logged).toEqual([])
})

test('publishes only the latest tab after a wait', async () => {
  const { homeTab, caller, clock, asked, isAsked, published, publish } = setUp()
  publish.mockRejectedValueOnce(new WebAPIRateLimitedError(20))
  const first = homeTab.turnTo(caller, 'U1', at(1))
  await isAsked(1)
  asked[0]?.answer()
  await vi.waitFor(() => expect(clock.sleeping()).toEqual([20_000]))
  const second = homeTab.turnTo(caller, 'U1', at(2))
  await clock.endSleep(20_000)
  await isAsked(2)
  asked[1]?.answer()
  await Promise.all([first, second])
  expect(publish).toHaveBeenCalledTimes(2)
  expect(published).toHaveLength(1)
})

test('logs a refresh that Slack refuses, and draws the next one', async () => {
  const { homeTab, caller, asked, isAsked, publish, logged } = setUp()
  const turned = homeTab.turnTo(caller, 'U1', at(1))
  await isAsked(1)
  asked[0]?.answer()
  await turned
  for (const attempt of [2, 3]) {
    if (attempt === 2) publish.mockRejectedValueOnce(slackError('invalid_arguments'))
    const refreshed = homeTab.refresh(caller)
    await isAsked(attempt)
    asked[attempt - 1]?.answer()
    await refreshed
  }
  expect(publish).toHaveBeenCalledTimes(3)
  expect(logged).toEqual([expect.stringContaining('a Home tab could not be redrawn')])
})

test('shows what is known at once in an empty tab, and does not overwrite a full one', async () => {
  const { homeTab, caller, asked, isAsked, published } = setUp()
  for (const [attempt, isEmpty] of [true, false].entries()) {
    const opened = homeTab.turnTo(caller, 'U1', FIRST_PAGE, isEmpty)
    await isAsked(attempt + 1)
    asked[attempt]?.answer()
    await opened
  }
  expect(published.map((view) => view.includes('Loading the links'))).toEqual([true, false, false])
})

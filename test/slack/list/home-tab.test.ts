import { randomUUID } from 'node:crypto'
import { WebAPIRateLimitedError } from '@slack/web-api'
import { expect, test, vi } from 'vitest'
import type { LinkPage } from '../../../src/port/links.ts'
import { FIRST_PAGE, type ListPosition } from '../../../src/slack/block-kit/list-position.ts'
import { SlackInputError } from '../../../src/slack/platform/field-errors.ts'
import { createHomeTab } from '../../../src/slack/list/home-tab.ts'
import { fakeCaller, fakePlatform, NO_LINK_SERVICE } from '../../support/platform.ts'

/**
 * A Home tab whose link service answers when the test says so.
 *
 * @param canBeAborted whether a request ends at once when the app gives up on it
 */
function setUp({ canBeAborted = false, connectionError = undefined as Error | undefined } = {}) {
  const asked: { page: number; answer: () => void }[] = []
  const published: string[] = []
  const domains = [{ name: 'dom_1', domain_name: 'go.example.com' }]
  const platform = fakePlatform({
    linkService: {
      ...NO_LINK_SERVICE,
      async connection() {
        if (connectionError) throw connectionError
        return { apiKey: 'key-1234', domains, source: 'connected' }
      },
      list: (_workspace, { page = 1 }, { signal } = {}) =>
        new Promise<LinkPage>((resolve, reject) => {
          if (canBeAborted) signal?.addEventListener('abort', () => reject(new Error('aborted')))
          const answer = (): void => resolve({ links: [], skipped: 0, hasNext: false })
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
  const isAsked = (count: number) =>
    expect.poll(() => asked.length, { interval: 1 }).toBeGreaterThanOrEqual(count)
  /** Answers the request with this number, once it has arrived. */
  const answers = async (number: number): Promise<void> => {
    await isAsked(number)
    asked[number - 1]?.answer()
  }
  /** Answers the request with this number, and waits until the tab is drawn. */
  const draws = async (number: number, drawing: Promise<unknown>): Promise<void> => {
    await answers(number)
    await drawing
  }
  const { clock, logged } = platform
  return { clock, homeTab, caller, asked, isAsked, answers, draws, published, publish, logged }
}

const slackError = (error: string): Error => Object.assign(new Error(error), { data: { error } })

const at = (page: number): ListPosition => ({ sort_by: 'most_recent', order: 'desc', page })

test('draws only the last of the pages that are requested while one is fetched', async () => {
  const { homeTab, caller, asked, isAsked, answers, published } = setUp()
  const first = homeTab.turnTo(caller, at(2))
  await isAsked(1)
  const others = [3, 4, 5].map((page) => homeTab.turnTo(caller, at(page)))
  asked[0]?.answer()
  await answers(2)
  await Promise.all([first, ...others])
  expect(asked.map(({ page }) => page)).toEqual([2, 5])
  expect(published).toHaveLength(1)
  expect(published[0]).toContain('There are no links on page 5.')
  expect(published[0]).toContain('"Previous"')
})

test('does not let a user who turns the page wait for the page before', async () => {
  const { homeTab, caller, isAsked, answers, published } = setUp({ canBeAborted: true })
  const hanging = homeTab.turnTo(caller, at(2))
  await isAsked(1)
  const turned = homeTab.turnTo(caller, at(3))
  await answers(2)
  await Promise.all([hanging, turned])
  expect(published).toHaveLength(1)
  expect(published[0]).toContain('There are no links on page 3.')
})

test('draws one user’s tab without waiting for another user’s', async () => {
  const { homeTab, caller, draws } = setUp()
  const slow = homeTab.turnTo(caller, at(1))
  await draws(2, homeTab.turnTo({ ...caller, userId: 'U2' }, at(2)))
  await draws(1, slow)
})

test('refreshes a tab at its current page, and only if its user has opened it', async () => {
  const { homeTab, caller, asked, draws, publish } = setUp()
  await homeTab.refresh(caller)
  await homeTab.refresh({ ...caller, workspace: { id: 'T2' }, userId: 'U2' })
  await homeTab.refresh({ ...caller, userId: undefined })
  expect(publish).not.toHaveBeenCalled()

  await draws(1, homeTab.turnTo(caller, at(3)))
  await homeTab.refresh({ ...caller, workspace: { id: 'T2' } })
  await homeTab.refresh({ ...caller, userId: 'U2' })
  await draws(2, homeTab.refresh(caller))
  expect(asked.map(({ page }) => page)).toEqual([3, 3])
})

test('publishes a tab again after Slack has asked to wait, and then only the latest', async () => {
  const { homeTab, caller, clock, asked, answers, published, publish, logged } = setUp()
  publish.mockRejectedValueOnce(new WebAPIRateLimitedError(20))
  const turned = homeTab.turnTo(caller, at(1))
  await answers(1)
  await clock.endSleep(20_000)
  await turned
  expect(publish).toHaveBeenCalledTimes(2)
  expect(logged).toEqual([])

  publish.mockRejectedValueOnce(new WebAPIRateLimitedError(20))
  const first = homeTab.turnTo(caller, at(2))
  await answers(2)
  await expect.poll(() => clock.sleeping()).toEqual([20_000])
  const second = homeTab.turnTo(caller, at(3))
  await clock.endSleep(20_000)
  await answers(3)
  await Promise.all([first, second])
  expect(asked).toHaveLength(3)
  expect(publish).toHaveBeenCalledTimes(4)
  expect(published).toHaveLength(2)
})

test('shows why a connection can’t be read, and doesn’t call the workspace disconnected', async () => {
  const connectionError = new SlackInputError('The key can’t be read <any> more.')
  const { homeTab, caller, published } = setUp({ connectionError })
  await homeTab.turnTo(caller, FIRST_PAGE)
  expect(published[0]).toContain(':warning: The key can’t be read &lt;any&gt; more.')
  expect(published[0]).toContain('"Try again"')
  expect(published[0]).not.toMatch(/onnect/)
})

test('logs a refresh that Slack refuses, and draws the next one', async () => {
  const { homeTab, caller, draws, publish, logged } = setUp()
  await draws(1, homeTab.turnTo(caller, at(1)))
  publish.mockRejectedValueOnce(slackError('invalid_arguments'))
  await draws(2, homeTab.refresh(caller))
  await draws(3, homeTab.refresh(caller))
  expect(publish).toHaveBeenCalledTimes(3)
  expect(logged).toEqual([expect.stringContaining('a Home tab could not be redrawn')])
})

test('shows what is known at once in an empty tab, and does not overwrite a full one', async () => {
  const { homeTab, caller, draws, published } = setUp()
  await draws(1, homeTab.turnTo(caller, FIRST_PAGE, true))
  await draws(2, homeTab.turnTo(caller, FIRST_PAGE, false))
  expect(published.map((view) => view.includes('Loading the links'))).toEqual([true, false, false])
})

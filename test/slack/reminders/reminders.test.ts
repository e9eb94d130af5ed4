import { WebClient } from '@slack/web-api'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { failedCall, goneError } from '../../support/failed-call.ts'
import type { LinkDetails } from '../../../src/port/links.ts'
import type { WorkspaceLinkService } from '../../../src/slack/links/links.ts'
import { slackClientOptions, type ClientFor } from '../../../src/slack/platform/slack-client.ts'
import { createReminders } from '../../../src/slack/reminders/index.ts'
import { NotInstalledError } from '../../../src/workspaces/installations.ts'
import { forgetPerson, forgetWorkspace } from '../../../src/workspaces/forget.ts'
import { createKeyring } from '../../../src/workspaces/keyring.ts'
import { createCreatedLinkStore } from '../../../src/workspaces/created-links.ts'
import { createReminderStore } from '../../../src/workspaces/reminders.ts'
import { describeOnDatabase } from '../../support/databases.ts'
import { ALL_OFFERS } from '../../support/offers-document.ts'
import { fakePlatform, NO_LINK_SERVICE } from '../../support/platform.ts'
import { texts } from '../../support/texts.ts'
import { BOT_TOKEN, startSimulatedWorkspace, type TestWorkspace } from '../../support/workspace.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const KEYRING = createKeyring([Buffer.alloc(32, 1)])

const at = (time: number) => ({ expires_at: new Date(time).toISOString() })

describeOnDatabase((opened) => {
  let slack: TestWorkspace
  beforeAll(async () => {
    slack = await startSimulatedWorkspace()
  })
  afterAll(() => slack.close())

  /** Ana makes a link, the only one. */
  async function setUp(lifeMs: number) {
    await opened.database.db.deleteFrom('made_links').execute()
    const platform = fakePlatform()
    const { clock, logger } = platform
    const storeOptions = { database: opened.database, now: () => clock.now() }
    const store = createReminderStore(storeOptions)
    const link: LinkDetails = {
      name: 'lnk_1',
      destination_url: 'https://example.com/page',
      shortlink_url: 'https://go.example.com/x',
      ...at(clock.now() + lifeMs),
    }
    const get = vi.fn<WorkspaceLinkService['get']>(async () => ({ link }))
    const capabilities = async () => ALL_OFFERS
    const client = new WebClient(BOT_TOKEN, slackClientOptions(slack.apiUrl, logger, clock))
    const clientFor = vi.fn<ClientFor>(async () => client)
    const createdLinks = createCreatedLinkStore(storeOptions)
    await createdLinks.add('T1', { ...link, createdBy: slack.ana.id })
    const createOne = () =>
      createReminders(
        { ...platform, linkService: { ...NO_LINK_SERVICE, capabilities, get } },
        { store, clientFor },
      )
    const reminders = createOne()
    const seen = slack.ana.sees('app').length
    return {
      clock,
      clientFor,
      createOne,
      link,
      createdLinks,
      /** Reads the link from the service. */
      get,
      /** The service says from now on that the link has changed. */
      change: (changes: Partial<LinkDetails>) =>
        void get.mockResolvedValue({ link: { ...link, ...changes } }),
      store,
      /** The reminders that Ana got. */
      sent: () => slack.ana.sees('app').slice(seen),
      after: async (ms: number) => {
        clock.advance(ms)
        await reminders.look()
      },
    }
  }

  test.each([
    ['three days before', 30 * DAY_MS, 3 * DAY_MS],
    ['an hour before if the link lives for less than four days', 3 * DAY_MS + 60_000, HOUR_MS],
  ])('reminds the creator once, %s', async (_when, lifeMs, before) => {
    const { after, sent } = await setUp(lifeMs)
    await after(lifeMs - before - 1)
    expect(sent()).toEqual([])
    await after(1)
    expect(sent()).toHaveLength(1)
    expect(texts(sent()[0])).toContain('Keep it')
    await after(before / 2)
    expect(sent()).toHaveLength(1)
  })

  test.each([
    ['lives for less than two hours', 2 * HOUR_MS - 1, 2 * HOUR_MS - 2, {}],
    ['has expired', 30 * DAY_MS, 30 * DAY_MS, {}],
    ['was turned off', 30 * DAY_MS, 27 * DAY_MS, { enabled: false }],
    ['is kept', 30 * DAY_MS, 27 * DAY_MS, { expires_at: undefined }],
  ])('reminds no one of a link that %s', async (_what, lifeMs, passed, changes) => {
    const { after, change, sent } = await setUp(lifeMs)
    change(changes)
    await after(passed)
    expect(sent()).toEqual([])
  })

  test('reminds no one of a link that is gone', async () => {
    const { after, get, sent } = await setUp(30 * DAY_MS)
    get.mockRejectedValue(goneError())
    await after(27 * DAY_MS)
    expect(sent()).toEqual([])
  })

  test('reminds the creator later if the link expires later than it did', async () => {
    const { after, change, clock, sent } = await setUp(30 * DAY_MS)
    change(at(clock.now() + 40 * DAY_MS))
    await after(27 * DAY_MS)
    expect(sent()).toEqual([])
    await after(10 * DAY_MS)
    expect(sent()).toHaveLength(1)
  })

  test('reads a time without a time zone as UTC, wherever the app runs', async () => {
    vi.stubEnv('TZ', 'America/New_York')
    const { after, change, clock, sent } = await setUp(30 * DAY_MS)
    const expires = clock.now() + 30 * DAY_MS
    change({ expires_at: at(expires).expires_at.replace('Z', '') })
    await after(27 * DAY_MS)
    vi.unstubAllEnvs()
    expect(texts(sent()[0])).toContain(`<!date^${expires / 1000}^`)
  })

  test('reminds the creator an hour before if the link expires sooner than it did', async () => {
    const { after, change, clock, sent } = await setUp(30 * DAY_MS)
    const expires = clock.now() + 28 * DAY_MS
    change(at(expires))
    await after(27 * DAY_MS)
    expect(sent()).toEqual([])
    await after(DAY_MS - HOUR_MS)
    expect(texts(sent()[0])).toContain(`<!date^${expires / 1000}^`)
    await after(HOUR_MS / 2)
    expect(sent()).toHaveLength(1)
  })

  test('tries again later while the link service fails, and gives up when the link has expired', async () => {
    const { after, change, get, sent } = await setUp(30 * DAY_MS)
    get.mockRejectedValue(failedCall({ status: 503 }))
    await after(27 * DAY_MS)
    await after(1)
    expect(sent()).toEqual([])
    expect(get).toHaveBeenCalledTimes(1)
    change({})
    await after(9 * HOUR_MS)
    expect(sent()).toHaveLength(1)

    const other = await setUp(2 * HOUR_MS)
    other.get.mockRejectedValue(failedCall({ status: 503 }))
    for (let minute = 0; minute < 180; minute++) await other.after(60_000)
    expect(other.sent()).toEqual([])
    expect(other.get.mock.calls.length).toBeLessThan(12)
  })

  test('tries again later if Slack fails, but not if Slack refuses', async () => {
    const { after, sent } = await setUp(30 * DAY_MS)
    slack.failNext('chat.postMessage', { error: 'internal_error' })
    await after(27 * DAY_MS)
    expect(sent()).toEqual([])
    await after(9 * HOUR_MS)
    expect(sent()).toHaveLength(1)

    const other = await setUp(30 * DAY_MS)
    slack.failNext('chat.postMessage', { error: 'account_inactive' })
    await other.after(27 * DAY_MS)
    await other.after(DAY_MS)
    expect(other.sent()).toEqual([])
  })

  test('reminds no one in a workspace that uninstalled the app', async () => {
    const { after, clientFor, get, sent } = await setUp(30 * DAY_MS)
    clientFor.mockRejectedValueOnce(new NotInstalledError())
    await after(27 * DAY_MS)
    await after(DAY_MS)
    expect(sent()).toEqual([])
    expect(get).not.toHaveBeenCalled()
  })

  test.each([
    ['person', () => forgetPerson(opened.database, KEYRING, 'T1', slack.ana.id)],
    ['workspace', () => forgetWorkspace(opened.database, 'T1')],
  ])('reminds no one of the links of a %s that was erased', async (_what, forget) => {
    const { after, get, sent } = await setUp(30 * DAY_MS)
    await forget()
    await after(27 * DAY_MS)
    expect(sent()).toEqual([])
    expect(get).not.toHaveBeenCalled()
  })

  test('sends each of many reminders once, although several processes look at the same time', async () => {
    const { clock, createOne, createdLinks, get, link, sent } = await setUp(30 * DAY_MS)
    for (let number = 0; number < 60; number++) {
      const names = {
        name: `lnk_${number}_more`,
        shortlink_url: `https://go.example.com/${number}`,
      }
      await createdLinks.add('T1', { ...link, ...names, createdBy: slack.ana.id })
    }
    clock.advance(27 * DAY_MS)
    const processes = [createOne(), createOne(), createOne(), createOne()]
    await Promise.all(processes.flatMap((one) => [one.look(), one.look()]))
    expect(sent()).toHaveLength(61)
    expect(get).toHaveBeenCalledTimes(61)
  })

  test('a reminder is not sent by another process if its own process was killed', async () => {
    const { after, clock, sent, store } = await setUp(30 * DAY_MS)
    clock.advance(27 * DAY_MS)
    const [due] = await store.due(1)
    expect(due && (await store.claim(due))).toBe(true)
    await after(HOUR_MS)
    expect(sent()).toEqual([])
  })

  test('plans no second reminder if something else about the link changes', async () => {
    const { after, link, sent, store } = await setUp(30 * DAY_MS)
    await after(27 * DAY_MS)
    await store.setExpiry('T1', link.name, Date.parse(link.expires_at ?? '') + 30_000)
    await after(2 * DAY_MS + 23 * HOUR_MS)
    expect(sent()).toHaveLength(1)
  })
})

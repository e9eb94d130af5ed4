import { WebClient } from '@slack/web-api'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { failedCall, goneError } from '../../support/failed-call.ts'
import { SPECIFICATION } from '../../../src/port/capabilities.ts'
import type { LinkDetails } from '../../../src/port/links.ts'
import { OUR_CREATE_FIELDS } from '../../../src/contract/link-fields.ts'
import { slackClientOptions, type ClientFor } from '../../../src/slack/platform/slack-client.ts'
import { createReminders } from '../../../src/slack/reminders/index.ts'
import { NotInstalledError } from '../../../src/workspaces/installations.ts'
import { forgetPerson, forgetWorkspace } from '../../../src/workspaces/forget.ts'
import { createKeyring } from '../../../src/workspaces/keyring.ts'
import { createCreatedLinkStore } from '../../../src/workspaces/created-links.ts'
import { createReminderStore } from '../../../src/workspaces/reminders.ts'
import { describeOnDatabase } from '../../support/databases.ts'
import { fakePlatform, NO_LINK_SERVICE } from '../../support/platform.ts'
import { texts } from '../../support/texts.ts'
import { BOT_TOKEN, startSimulatedWorkspace, type TestWorkspace } from '../../support/workspace.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const KEYRING = createKeyring([Buffer.alloc(32, 1)])

const gone = goneError()

describeOnDatabase((opened) => {
  let slack: TestWorkspace
  beforeAll(async () => {
    slack = await startSimulatedWorkspace()
  })
  afterEach(() => opened.database.db.deleteFrom('made_links').execute())
  afterAll(() => slack.close())

  /** A link that Ana makes, and what the link service says about it. */
  async function setUp(lifeMs: number) {
    const platform = fakePlatform()
    const { clock, logger } = platform
    const storeOptions = { database: opened.database, now: () => clock.now() }
    const store = createReminderStore(storeOptions)
    const expiresAt = clock.now() + lifeMs
    const link: LinkDetails = {
      name: 'lnk_1',
      destination_url: 'https://example.com/page',
      shortlink_url: 'https://go.example.com/x',
      expires_at: new Date(expiresAt).toISOString(),
    }
    const service: { get: () => Promise<{ link: LinkDetails }>; gets: number } = {
      get: async () => ({ link }),
      gets: 0,
    }
    const client = new WebClient(BOT_TOKEN, slackClientOptions(slack.apiUrl, logger, clock))
    const slackAccess: { clientFor: ClientFor } = { clientFor: async () => client }
    const linkService = {
      ...NO_LINK_SERVICE,
      capabilities: async () => ({
        ...SPECIFICATION,
        get: true,
        update: true,
        fields: OUR_CREATE_FIELDS,
      }),
      get: () => {
        service.gets++
        return service.get()
      },
    }
    const createdLinks = createCreatedLinkStore(storeOptions)
    await createdLinks.add('T1', {
      shortlink_url: link.shortlink_url,
      destination_url: link.destination_url,
      createdBy: slack.ana.id,
      name: link.name,
      expires_at: new Date(expiresAt).toISOString(),
    })
    const createOne = () =>
      createReminders(
        { ...platform, linkService },
        { store, clientFor: (id) => slackAccess.clientFor(id) },
      )
    const reminders = createOne()
    const seen = slack.ana.sees('app').length
    return {
      clock,
      createOne,
      link,
      createdLinks,
      service,
      slackAccess,
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
    ['lives for less than two hours', 2 * HOUR_MS - 1, 2 * HOUR_MS - 2],
    ['has expired', 30 * DAY_MS, 30 * DAY_MS],
  ])('reminds no one of a link that %s', async (_what, lifeMs, passed) => {
    const { after, sent } = await setUp(lifeMs)
    await after(passed)
    expect(sent()).toEqual([])
  })

  test('reminds no one of a link that is gone, turned off or kept', async () => {
    const { after, link, sent, service } = await setUp(30 * DAY_MS)
    service.get = () => Promise.reject(gone)
    await after(27 * DAY_MS)
    expect(sent()).toEqual([])
    for (const change of [{ enabled: false }, { expires_at: undefined }]) {
      await opened.database.db.deleteFrom('made_links').execute()
      const other = await setUp(30 * DAY_MS)
      other.service.get = async () => ({ link: { ...link, ...change } })
      await other.after(27 * DAY_MS)
      expect(other.sent()).toEqual([])
    }
  })

  test('reminds the creator later if the link expires later than it did', async () => {
    const { after, clock, link, sent, service } = await setUp(30 * DAY_MS)
    const expires = clock.now() + 40 * DAY_MS
    service.get = async () => ({ link: { ...link, expires_at: new Date(expires).toISOString() } })
    await after(27 * DAY_MS)
    expect(sent()).toEqual([])
    await after(10 * DAY_MS)
    expect(sent()).toHaveLength(1)
  })

  test('reads a time without a time zone as UTC, wherever the app runs', async () => {
    vi.stubEnv('TZ', 'America/New_York')
    const { after, clock, link, sent, service } = await setUp(30 * DAY_MS)
    const expires = clock.now() + 30 * DAY_MS
    const text = new Date(expires).toISOString().replace('Z', '')
    service.get = async () => ({ link: { ...link, expires_at: text } })
    await after(27 * DAY_MS)
    vi.unstubAllEnvs()
    expect(texts(sent()[0])).toContain(`<!date^${expires / 1000}^`)
  })

  test('reminds the creator an hour before if the link expires sooner than it did', async () => {
    const { after, clock, link, sent, service } = await setUp(30 * DAY_MS)
    const expires = clock.now() + 28 * DAY_MS
    service.get = async () => ({ link: { ...link, expires_at: new Date(expires).toISOString() } })
    await after(27 * DAY_MS)
    expect(sent()).toEqual([])
    await after(DAY_MS - HOUR_MS)
    expect(texts(sent()[0])).toContain(`<!date^${expires / 1000}^`)
    await after(HOUR_MS / 2)
    expect(sent()).toHaveLength(1)
  })

  test('tries again later while the link service fails, and gives up when the link has expired', async () => {
    const { after, link, sent, service } = await setUp(30 * DAY_MS)
    service.get = () => Promise.reject(failedCall({ status: 503 }))
    await after(27 * DAY_MS)
    await after(1)
    expect([sent(), service.gets]).toEqual([[], 1])
    service.get = async () => ({ link })
    await after(9 * HOUR_MS)
    expect(sent()).toHaveLength(1)

    await opened.database.db.deleteFrom('made_links').execute()
    const other = await setUp(2 * HOUR_MS)
    other.service.get = () => Promise.reject(failedCall({ status: 503 }))
    for (let minute = 0; minute < 180; minute++) await other.after(60_000)
    expect(other.sent()).toEqual([])
    expect(other.service.gets).toBeLessThan(12)
  })

  test('tries again later if Slack fails, but not if Slack refuses', async () => {
    const { after, sent } = await setUp(30 * DAY_MS)
    slack.failNext('chat.postMessage', { error: 'internal_error' })
    await after(27 * DAY_MS)
    expect(sent()).toEqual([])
    await after(9 * HOUR_MS)
    expect(sent()).toHaveLength(1)

    await opened.database.db.deleteFrom('made_links').execute()
    const other = await setUp(30 * DAY_MS)
    slack.failNext('chat.postMessage', { error: 'account_inactive' })
    await other.after(27 * DAY_MS)
    await other.after(DAY_MS)
    expect(other.sent()).toEqual([])
  })

  test('reminds no one in a workspace that uninstalled the app, or of a person who was erased', async () => {
    const { after, sent, service, slackAccess } = await setUp(30 * DAY_MS)
    const { clientFor } = slackAccess
    slackAccess.clientFor = () => Promise.reject(new NotInstalledError())
    await after(27 * DAY_MS)
    slackAccess.clientFor = clientFor
    await after(DAY_MS)
    expect([sent(), service.gets]).toEqual([[], 0])

    for (const forget of [
      () => forgetPerson(opened.database, KEYRING, 'T1', slack.ana.id),
      () => forgetWorkspace(opened.database, 'T1'),
    ]) {
      await opened.database.db.deleteFrom('made_links').execute()
      const other = await setUp(30 * DAY_MS)
      await forget()
      await other.after(27 * DAY_MS)
      expect([other.sent(), other.service.gets]).toEqual([[], 0])
    }
  })

  test('sends each of many reminders once, although several processes look at the same time', async () => {
    const { clock, createOne, createdLinks, sent, service } = await setUp(30 * DAY_MS)
    for (let number = 0; number < 60; number++) {
      await createdLinks.add('T1', {
        shortlink_url: `https://go.example.com/${number}`,
        destination_url: 'https://example.com/page',
        createdBy: slack.ana.id,
        name: `lnk_more_${number}`,
        expires_at: new Date(clock.now() + 30 * DAY_MS).toISOString(),
      })
    }
    clock.advance(27 * DAY_MS)
    const processes = [createOne(), createOne(), createOne(), createOne()]
    await Promise.all(processes.flatMap((one) => [one.look(), one.look()]))
    expect(sent()).toHaveLength(61)
    expect(service.gets).toBe(61)
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

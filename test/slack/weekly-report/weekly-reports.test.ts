import { WebClient } from '@slack/web-api'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { failedCall } from '../../support/failed-call.ts'
import type { LinkPage } from '../../../src/port/links.ts'
import type { Report, ReportQuery } from '../../../src/contract/report.ts'
import { CHANNELS, TEAM } from '../../../src/simulator/workspace/seeds.ts'
import type { WorkspaceLinkService } from '../../../src/slack/links/links.ts'
import { slackClientOptions, type ClientFor } from '../../../src/slack/platform/slack-client.ts'
import { createWeeklyReports } from '../../../src/slack/weekly-report/index.ts'
import { forgetPerson, forgetWorkspace } from '../../../src/workspaces/forget.ts'
import { NotInstalledError } from '../../../src/workspaces/installations.ts'
import { createKeyring } from '../../../src/workspaces/keyring.ts'
import { createSettingsStore, withoutReport } from '../../../src/workspaces/settings.ts'
import { describeOnDatabase } from '../../support/databases.ts'
import { ALL_OFFERS } from '../../support/offers-document.ts'
import { fakePlatform, NO_LINK_SERVICE } from '../../support/platform.ts'
import { texts } from '../../support/texts.ts'
import { BOT_TOKEN, startSimulatedWorkspace, type TestWorkspace } from '../../support/workspace.ts'

const GENERAL = CHANNELS[0]?.id ?? ''
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const KEYRING = createKeyring([Buffer.alloc(32, 1)])

/** The Friday before clocks go forward in Berlin, on March 29. */
const FRIDAY = Date.parse('2026-03-20T12:00:00Z')

/** The next three reports, at nine in Berlin. */
const FIRST = Date.UTC(2026, 2, 23, 8)
const SECOND = Date.UTC(2026, 2, 30, 7)
const THIRD = Date.UTC(2026, 3, 6, 7)

/** A report of 30 clicks, after 20 in the week before. */
function reportOf({ from = '', to = '' }: Partial<ReportQuery> = {}, people = 30): Report {
  const group = { name: 'lnk_1', people, previous_people: 20, days: [people, 0, 0, 0, 0, 0, 0] }
  return {
    from,
    to,
    previous_from: '2026-03-01',
    previous_to: '2026-03-07',
    group_by: 'link',
    total_people: people,
    previous_people: 20,
    days: [],
    has_more: false,
    groups: [{ ...group, label: 'https://go.example.com/a', title: 'Spring <!channel>' }],
  }
}

const NO_LINKS = { links: [], skipped: 0, page: 1, perPage: 100, totalItems: 0, hasNext: false }

describeOnDatabase((opened) => {
  let slack: TestWorkspace
  beforeAll(async () => {
    slack = await startSimulatedWorkspace()
  })
  afterEach(async () => {
    slack.workspace.parts.conversations.setAppMember(GENERAL, true)
    await opened.database.db.deleteFrom('workspace_settings').execute()
  })
  afterAll(() => slack.close())

  /** Ana has set up reports for Mondays at 9:00 in Berlin. */
  async function setUp(start = FRIDAY) {
    const platform = fakePlatform()
    const { clock, logger } = platform
    clock.advance(start - clock.now())
    const settings = createSettingsStore({ database: opened.database, now: () => clock.now() })
    const schedule = { channel: GENERAL, day: 1, hour: 9, timeZone: 'Europe/Berlin' }
    const save = () =>
      settings.update(TEAM.id, slack.ana.id, (others) => ({
        ...others,
        weeklyReport: { ...schedule, setBy: slack.ana.id },
      }))
    await save()
    const service = {
      capabilities: vi.fn(async () => ALL_OFFERS),
      report: vi.fn<WorkspaceLinkService['report']>(async (_workspace, query) => reportOf(query)),
      list: vi.fn<() => Promise<LinkPage>>(async () => NO_LINKS),
    }
    const linkService = { ...NO_LINK_SERVICE, ...service }
    const client = new WebClient(BOT_TOKEN, slackClientOptions(slack.apiUrl, logger, clock))
    const clientFor = vi.fn<ClientFor>(async () => client)
    const createOne = () => createWeeklyReports({ ...platform, settings, linkService }, clientFor)
    const processes = [createOne(), createOne(), createOne(), createOne()]
    const look = () => Promise.all(processes.flatMap((one) => [one.look(), one.look()]))
    const seen = { general: slack.ben.sees('general').length, app: slack.ana.sees('app').length }
    return {
      clock,
      save,
      service,
      settings,
      clientFor,
      logged: platform.logged,
      /** The reports in the channel, and what Ana was told. */
      posted: () => slack.ben.sees('general').slice(seen.general),
      told: () => slack.ana.sees('app').slice(seen.app),
      /** All processes look, at a time. */
      at: async (time: number): Promise<void> => {
        clock.advance(time - clock.now())
        await look()
      },
      /** All processes look every five minutes until a time. */
      until: async (time: number): Promise<void> => {
        while (clock.now() < time) {
          clock.advance(5 * 60_000)
          await look()
        }
      },
    }
  }

  test.each([
    ['forward', FRIDAY, [FIRST, SECOND, THIRD], ['03-16', '03-23', '03-30']],
    [
      'back',
      Date.UTC(2026, 9, 16),
      [Date.UTC(2026, 9, 19, 7), Date.UTC(2026, 9, 26, 8), Date.UTC(2026, 10, 2, 8)],
      ['10-12', '10-19', '10-26'],
    ],
  ])(
    'posts one report each Monday at nine among four processes, also after clocks go %s',
    async (_way, start, mondays, firstDays) => {
      const { at, posted, service, told } = await setUp(start)
      for (const [index, monday] of mondays.entries()) {
        await at(monday - 1)
        expect(posted()).toHaveLength(index)
        await at(monday)
        expect(posted()).toHaveLength(index + 1)
        await at(monday + 60_000)
        await at(monday + 3 * DAY_MS)
        expect(posted()).toHaveLength(index + 1)
      }
      // Seven whole days in UTC before each Monday.
      const ranges = service.report.mock.calls.map(([, query = {}]) => query)
      expect(ranges.map(({ from }) => from)).toEqual(firstDays.map((day) => `2026-${day}`))
      for (const { from = '', to = '' } of ranges) {
        expect(Date.parse(to) - Date.parse(from)).toBe(6 * DAY_MS)
      }
      expect(told()).toEqual([])
    },
  )

  test('shows the clicks of the week, the change, the best links, and five of those that expire first', async () => {
    const { at, posted, service } = await setUp()
    const links = [6, 2, 4, 1, 3, 5].map((day) => ({
      name: `lnk_${day}`,
      destination_url: 'https://example.com',
      shortlink_url: `https://go.example.com/ends-${day}`,
      expires_at: new Date(FIRST + day * DAY_MS).toISOString(),
    }))
    service.list.mockResolvedValue({ ...NO_LINKS, links, totalItems: 8 })
    await at(FIRST)
    const [first] = posted()
    expect(first?.text).toContain(
      'Weekly report. Clicks on all links, Mar 16 – Mar 22, 2026 (UTC): 30 clicks.',
    )
    expect(first?.blocks?.[0]).toMatchObject({ type: 'header', text: { text: 'Weekly report' } })
    const shown = texts(first)
    expect(shown).toContain('+50% compared with 20 in the 7 days before (Mar 1 – Mar 7, 2026)')
    expect(shown).toContain('Spring &lt;!channel&gt;')
    const named = [...shown.matchAll(/\/ends-(\d)\|/g)].map(([, day]) => Number(day))
    expect(named).toEqual([1, 2, 3, 4, 5])
    expect(shown).toContain('and 3 others')
    expect(shown).toContain(`<@${slack.ana.id}> set up these weekly reports.`)
  })

  test('leaves out the links that expire soon if the service can’t list them', async () => {
    const { at, posted, service } = await setUp()
    service.capabilities.mockResolvedValue({ ...ALL_OFFERS, expiresBefore: false })
    service.list.mockRejectedValue(new Error('not offered'))
    await at(FIRST)
    expect(posted()).toHaveLength(1)
    expect(texts(posted()[0])).not.toContain('expire within the next week')
  })

  test('posts nothing after a week without clicks', async () => {
    const { at, posted, service, told } = await setUp()
    service.report.mockImplementationOnce(async (_workspace, query) => reportOf(query, 0))
    await at(FIRST)
    await at(FIRST + HOUR_MS)
    expect([posted(), told()]).toEqual([[], []])
    expect(service.report).toHaveBeenCalledTimes(1)
    await at(SECOND)
    expect(posted()).toHaveLength(1)
  })

  test('posts a report late after the app was down, but not more than a day late', async () => {
    const { at, posted } = await setUp()
    await at(FIRST + DAY_MS)
    expect(posted()).toHaveLength(1)
    expect(posted()[0]?.text).toContain('Mar 16 – Mar 22')
    await at(SECOND + DAY_MS + 1)
    expect(posted()).toHaveLength(1)
    await at(THIRD)
    expect(posted()).toHaveLength(2)
  })

  test('tries again while the link service fails, and posts the report of the same week', async () => {
    const { at, posted, service, told, until } = await setUp()
    service.report.mockRejectedValue(failedCall({ status: 503 }))
    await at(FIRST)
    await until(FIRST + 16 * HOUR_MS)
    expect(service.report.mock.calls.length).toBeLessThanOrEqual(33)
    service.report.mockReset()
    await until(FIRST + 17 * HOUR_MS)
    expect(posted().map(({ text }) => text)).toEqual([
      expect.stringContaining('Mar 16 – Mar 22, 2026 (UTC)'),
    ])
    expect(told()).toEqual([])
  })

  test.each([
    ['fails', () => Promise.reject(failedCall({ status: 503 }))],
    ['no longer offers reports', async () => ({ ...ALL_OFFERS, reports: false })],
  ])('tells the admin once if the link service %s for a day', async (_title, offers) => {
    const { at, posted, service, told, until } = await setUp()
    service.capabilities.mockImplementation(offers)
    await at(FIRST)
    await until(FIRST + 3 * DAY_MS)
    expect(posted()).toEqual([])
    expect(told().map(texts)).toEqual([expect.stringContaining('There is no weekly report in')])
    expect(texts(told()[0])).toContain(`<!date^${SECOND / 1000}^`)
    service.capabilities.mockReset()
    await at(SECOND)
    expect([posted().length, told().length]).toEqual([1, 1])
  })

  test('tries again after a failure of Slack, but not if Slack might have posted the report', async () => {
    const { at, clock, posted, told, until } = await setUp()
    slack.failNext('chat.postMessage', { error: 'internal_error' })
    await at(FIRST)
    expect(posted()).toEqual([])
    await until(FIRST + HOUR_MS)
    expect([posted().length, told()]).toEqual([1, []])

    slack.failNext('chat.postMessage', { hangs: true })
    const hanging = at(SECOND)
    await expect.poll(() => slack.hangingCalls()).toBe(1)
    await clock.endSleep(3_000)
    await hanging
    await until(SECOND + 2 * HOUR_MS)
    expect([posted().length, told()]).toEqual([1, []])
  })

  test('tells the admin once if the app was removed from the channel, and ends the reports', async () => {
    const { at, posted, save, service, told } = await setUp()
    await at(FIRST)
    expect(texts(posted()[0])).not.toContain('expire within the next week')
    slack.workspace.parts.conversations.setAppMember(GENERAL, false)
    await at(SECOND)
    await at(THIRD)
    expect(told().map(texts)).toEqual([
      expect.stringContaining(`can’t post the weekly report in <#${GENERAL}>`),
    ])
    expect(texts(told()[0])).toContain('/invite @Backhalf')
    expect(posted()).toHaveLength(1)
    expect(service.report).toHaveBeenCalledTimes(2)
    slack.workspace.parts.conversations.setAppMember(GENERAL, true)
    await save()
    await at(THIRD + 7 * DAY_MS)
    expect([posted().length, told().length]).toEqual([2, 1])
    expect(slack.takeRefusals()).toHaveLength(1)
  })

  test('ends the reports even if the admin can’t be told', async () => {
    const { at, logged, settings, told } = await setUp()
    slack.failNext('chat.postMessage', { error: 'is_archived' })
    slack.failNext('chat.postMessage', { error: 'account_inactive' })
    await at(FIRST)
    expect(told()).toEqual([])
    expect(logged.join()).toContain('an admin could not be told')
    expect((await settings.read(TEAM.id)).weeklyReport).toBeUndefined()
  })

  test('a report is not posted by another process if its own process was killed', async () => {
    const { at, clock, posted, settings } = await setUp()
    clock.advance(FIRST - clock.now())
    const [due] = await settings.dueReports(1)
    expect(due && (await settings.moveReport(TEAM.id, due.at, SECOND))).toBe(true)
    await at(FIRST + HOUR_MS)
    expect(posted()).toEqual([])
    await at(SECOND)
    expect(posted()).toHaveLength(1)
  })

  test.each<[string, (settings: ReturnType<typeof createSettingsStore>) => Promise<unknown>]>([
    ['the reports were stopped', (settings) => settings.update(TEAM.id, 'U1', withoutReport)],
    ['the app was uninstalled', () => forgetWorkspace(opened.database, TEAM.id)],
    ['their admin was erased', () => forgetPerson(opened.database, KEYRING, TEAM.id, slack.ana.id)],
  ])('posts nothing after %s', async (_title, end) => {
    const { at, posted, service, settings, told } = await setUp()
    await end(settings)
    await at(FIRST)
    expect([posted(), told()]).toEqual([[], []])
    expect(service.report).not.toHaveBeenCalled()
    const rows = await opened.database.db.selectFrom('workspace_settings').selectAll().execute()
    expect(JSON.stringify(rows)).not.toMatch(/Berlin|"report_at":\d/)
  })

  test('posts the reports of other workspaces if one can’t be read', async () => {
    const { at, logged, posted, settings } = await setUp()
    const { weeklyReport, ...others } = await settings.read(TEAM.id)
    const unknownZone = { ...others, weeklyReport: { ...weeklyReport, timeZone: 'Mars/Base' } }
    const row = { settings: JSON.stringify(unknownZone), updated_by: 'U1', updated_at: 0 }
    for (let number = 0; number < 6; number++) {
      const values = { ...row, workspace_id: `T_${number}`, report_at: FRIDAY }
      await opened.database.db.insertInto('workspace_settings').values(values).execute()
    }
    await at(FIRST)
    expect(posted()).toHaveLength(1)
    expect(logged.join()).toContain('could not post the weekly reports')
  })

  test('posts the next report at its time even if other settings have changed', async () => {
    const { at, posted, settings } = await setUp()
    await at(FIRST)
    await settings.update(TEAM.id, 'U1', (others) => ({ ...others, mayShorten: 'not_guests' }))
    await at(SECOND)
    expect(posted()).toHaveLength(2)
  })

  test('tells no one while the app is being uninstalled', async () => {
    const { at, clientFor, posted, told, until } = await setUp()
    clientFor.mockRejectedValue(new NotInstalledError())
    await at(FIRST)
    await until(FIRST + 2 * DAY_MS)
    expect([posted(), told()]).toEqual([[], []])
  })
})

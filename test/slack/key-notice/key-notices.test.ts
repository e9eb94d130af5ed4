import { WebClient } from '@slack/web-api'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { failedCall } from '../../support/failed-call.ts'
import { createKeyNotices } from '../../../src/slack/key-notice/key-notices.ts'
import { slackClientOptions, type ClientFor } from '../../../src/slack/platform/slack-client.ts'
import { PEOPLE, TEAM } from '../../../src/simulator/workspace/seeds.ts'
import { NotInstalledError } from '../../../src/workspaces/installations.ts'
import { createKeyNoticeStore } from '../../../src/workspaces/key-notices.ts'
import type { DomainRecord } from '../../../src/workspaces/connection.ts'
import { createKeyring } from '../../../src/workspaces/keyring.ts'
import { createSettingsStore } from '../../../src/workspaces/settings.ts'
import { createWorkspaces } from '../../../src/workspaces/workspaces.ts'
import { describeOnDatabase } from '../../support/databases.ts'
import { fakePlatform } from '../../support/platform.ts'
import { texts } from '../../support/texts.ts'
import { BOT_TOKEN, startSimulatedWorkspace, type TestWorkspace } from '../../support/workspace.ts'

const [ANA, BEN] = PEOPLE
const KEYRING = createKeyring([Buffer.alloc(32, 1)])
const DOMAINS = [{ name: 'dom_1', domain_name: 'go.example.com' }] as [DomainRecord]
const MINUTES_MS = 60_000

describeOnDatabase((opened) => {
  let slack: TestWorkspace
  beforeAll(async () => {
    slack = await startSimulatedWorkspace()
  })
  afterEach(async () => {
    await opened.database.db.deleteFrom('workspace_connections').execute()
    await opened.database.db.deleteFrom('workspace_settings').execute()
  })
  afterAll(() => slack.close())

  /** A workspace that a user has connected with the key `first`; null: its key was provisioned. */
  async function setUp(connectedBy: string | null = ANA.id) {
    const platform = fakePlatform()
    const { clock, logger, tasks } = platform
    const storeOptions = { database: opened.database, keyring: KEYRING, now: () => clock.now() }
    const workspaces = createWorkspaces({
      ...storeOptions,
      provision: async () => ({ apiKey: 'first', domains: DOMAINS }),
    })
    const connect = (apiKey: string, by: string) =>
      workspaces.connect(TEAM.id, { apiKey, domains: DOMAINS }, by)
    if (connectedBy === null) await workspaces.connection({ id: TEAM.id })
    else await connect('first', connectedBy)
    const client = new WebClient(BOT_TOKEN, slackClientOptions(slack.apiUrl, logger, clock))
    const clientFor = vi.fn<ClientFor>(async () => client)
    const store = createKeyNoticeStore(storeOptions)
    const serviceUrl = 'https://links.example.com'
    const createOne = () => createKeyNotices(platform, { store, clientFor, serviceUrl })
    const one = createOne()
    const [seen, seenByBen] = [slack.ana, slack.ben].map((person) => person.sees('app').length)
    return {
      clock,
      connect,
      createOne,
      workspaces,
      clientFor,
      settings: createSettingsStore(storeOptions),
      logged: platform.logged,
      drained: () => tasks.drained(),
      refuse: async (apiKey = 'first') => {
        one({ workspaceId: TEAM.id, apiKey, error: failedCall({ status: 401 }) })
        await tasks.drained()
      },
      /** The notices that Ana got. */
      sent: () => slack.ana.sees('app').slice(seen),
      sentToBen: () => slack.ben.sees('app').slice(seenByBen),
    }
  }

  test('tells no one about a key that the workspace no longer uses', async () => {
    const { connect, refuse, sent, workspaces } = await setUp()
    await connect('second', ANA.id)
    await refuse('first')
    expect(sent()).toEqual([])
    await refuse('second')
    expect(sent()).toHaveLength(1)
    await workspaces.disconnect(TEAM.id, ANA.id)
    await refuse('second')
    expect(sent()).toHaveLength(1)
  })

  test('still knows that it told the admins after the domains have changed', async () => {
    const { refuse, sent, workspaces } = await setUp()
    await refuse()
    await workspaces.setDomains(TEAM.id, [{ ...DOMAINS[0], domain_name: 'o.example' }], () => true)
    await refuse()
    expect(sent()).toHaveLength(1)
  })

  test('sends one message although many requests of several processes fail at the same time', async () => {
    const { createOne, drained, sent } = await setUp()
    const error = failedCall({ status: 401 })
    for (const process of [createOne(), createOne(), createOne()]) {
      for (let request = 0; request < 5; request++) {
        process({ workspaceId: TEAM.id, apiKey: 'first', error })
      }
    }
    await drained()
    expect(sent()).toHaveLength(1)
  })

  test('tells the admin who last changed the settings if the key was created automatically', async () => {
    const { refuse, sent, settings } = await setUp(null)
    await settings.update(TEAM.id, ANA.id, (current) => current)
    await refuse()
    expect(texts(sent()[0])).toContain('Get a new key')
    expect(slack.refusals()).toEqual([])
  })

  test.each([BEN.id, 'U0GONE'])(
    'tells the admin who changed the settings if %s, who connected the workspace, is not an admin',
    async (connectedBy) => {
      const { refuse, sent, sentToBen, settings } = await setUp(connectedBy)
      await settings.update(TEAM.id, ANA.id, (current) => current)
      await refuse()
      expect([sent().length, sentToBen().length]).toEqual([1, 0])
      slack.takeRefusals()
    },
  )

  test('gives up if Slack refuses the message, and logs it without the key', async () => {
    const { clock, logged, refuse, sent } = await setUp()
    slack.failNext('chat.postMessage', { error: 'account_inactive' })
    await refuse()
    clock.advance(60 * MINUTES_MS)
    await refuse()
    expect(sent()).toEqual([])
    expect(logged).toHaveLength(1)
    expect(logged.join()).toContain('no admin could be told')
    expect(logged.join()).not.toContain('first')
  })

  test('tells no one in a workspace that uninstalled the app', async () => {
    const { clientFor, refuse, sent, logged } = await setUp()
    clientFor.mockRejectedValue(new NotInstalledError())
    await refuse()
    expect(sent()).toEqual([])
    expect(logged).toHaveLength(1)
  })
})

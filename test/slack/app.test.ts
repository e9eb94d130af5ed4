import { setImmediate as nextTurn } from 'node:timers/promises'
import { App } from '@slack/bolt'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { createSlackApp } from '../../src/slack/app.ts'
import { createChartLinks } from '../../src/slack/clicks/chart-links.ts'
import {
  ACTIONS,
  EVENTS,
  GLOBAL_SHORTCUT,
  MESSAGE_SHORTCUT,
  VIEWS,
  WORKFLOW_STEP,
} from '../../src/slack/ids.ts'
import { createQrLinks } from '../../src/slack/platform/picture-links.ts'
import { systemClock } from '../../src/timing/clock.ts'
import type { DeliveryStore } from '../../src/workspaces/deliveries.ts'
import type { Installations } from '../../src/workspaces/installations.ts'
import type { KeyNoticeStore } from '../../src/workspaces/key-notices.ts'
import { createKeyring } from '../../src/workspaces/keyring.ts'
import type { MadeLinks } from '../../src/workspaces/made-links.ts'
import type { RecentUtm } from '../../src/workspaces/recent-utm.ts'
import type { ReminderStore } from '../../src/workspaces/reminders.ts'
import type { SettingsStore } from '../../src/workspaces/settings.ts'
import type { Workspaces } from '../../src/workspaces/workspaces.ts'
import { OAUTH } from '../support/installing.ts'

afterEach(() => vi.restoreAllMocks())

const keyring = createKeyring([Buffer.alloc(32, 1)])

/** Creates the app without a connection to Slack. */
async function createApp(): Promise<void> {
  const app = await createSlackApp({
    source: { mode: 'http', signingSecret: 'secret' },
    tokens: { oauth: OAUTH, scopes: [], installations: {} as Installations },
    apiUrl: 'http://127.0.0.1:9/api/',
    workspaces: {} as Workspaces,
    settings: {} as SettingsStore,
    recentUtm: {} as RecentUtm,
    madeLinks: {} as MadeLinks,
    reminders: { due: async () => [] } as Partial<ReminderStore> as ReminderStore,
    keyNotices: {} as KeyNoticeStore,
    deliveryStore: { takeAbandoned: async () => [] } as Partial<DeliveryStore> as DeliveryStore,
    keyring,
    qrLinks: createQrLinks(keyring),
    chartLinks: createChartLinks(keyring),
    charts: { draw: async () => new Uint8Array() },
    linkClient: () => {
      throw new Error('not used in these tests')
    },
    configuredKey: undefined,
    serviceUrl: 'https://links.example.com',
    publicUrl: undefined,
    // Nothing that waits for Slack takes time.
    clock: { ...systemClock, sleep: () => nextTurn() },
    logger: pino({ level: 'silent' }),
  })
  await app.stop()
}

test('has a listener for everything that Slack sends back', async () => {
  const methods = ['action', 'view', 'shortcut', 'event', 'function'] as const
  const [actions, views, shortcuts, events, steps] = methods.map(
    (method) => vi.spyOn(App.prototype, method).mock,
  )
  await createApp()

  /** Whether the app acknowledges a request, which it does only if a listener is registered for it. */
  async function isAnswered(spy: typeof actions, args: object): Promise<boolean> {
    const ack = vi.fn(() => Promise.reject(new Error('the listener itself must not run here')))
    for (const call of spy?.calls ?? []) {
      const listener = call[1] as unknown as (args: object) => Promise<void>
      await listener({ body: {}, client: {}, context: {}, ack, ...args }).catch(() => undefined)
    }
    return ack.mock.calls.length > 0
  }

  for (const action_id of Object.values(ACTIONS)) {
    expect(await isAnswered(actions, { action: { action_id }, body: { container: {} } })).toBe(true)
  }
  expect(await isAnswered(actions, { action: { action_id: 'unknown' } })).toBe(false)
  const readOnly: string[] = [VIEWS.settings, VIEWS.settingsTemplates, VIEWS.notice]
  for (const callback_id of Object.values(VIEWS)) {
    const view = { callback_id, blocks: [], state: { values: {} } }
    expect(await isAnswered(views, { view })).toBe(!readOnly.includes(callback_id))
  }
  expect(await isAnswered(shortcuts, { shortcut: { callback_id: GLOBAL_SHORTCUT } })).toBe(true)
  expect(await isAnswered(shortcuts, { shortcut: { callback_id: MESSAGE_SHORTCUT } })).toBe(true)
  expect(await isAnswered(shortcuts, { shortcut: { callback_id: 'unknown' } })).toBe(false)
  const names = Object.values(EVENTS).filter((name) => name !== EVENTS.stepExecuted)
  const idsOf = (spy: typeof events): unknown[] =>
    spy?.calls.map(([id]: readonly unknown[]) => id) ?? []
  expect(idsOf(events).toSorted()).toEqual(names.toSorted())
  expect(idsOf(steps)).toEqual([WORKFLOW_STEP])
})

test.each([
  '',
  'https://example.com',
  'nonsense',
  'help',
  'list',
  'connect',
  'settings',
  'disconnect',
])('has a listener for “/shorten %s”', async (text) => {
  const { mock } = vi.spyOn(App.prototype, 'command')
  await createApp()
  const onCommand = mock.calls[0]?.[1] as unknown as (args: object) => Promise<void>
  const ack = vi.fn(() => Promise.reject(new Error('the listener itself must not run here')))
  await onCommand({ command: { text }, body: {}, client: {}, context: {}, ack })
  expect(ack).toHaveBeenCalledOnce()
})

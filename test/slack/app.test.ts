import { setImmediate as nextTurn } from 'node:timers/promises'
import { App } from '@slack/bolt'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { systemClock } from '../../src/timing/clock.ts'
import { createSlackApp } from '../../src/slack/app.ts'
import {
  ACTIONS,
  EVENTS,
  GLOBAL_SHORTCUT,
  MESSAGE_SHORTCUT,
  VIEWS,
  WORKFLOW_STEP,
} from '../../src/slack/ids.ts'
import { createChartLinks } from '../../src/slack/clicks/chart-links.ts'
import { createQrLinks } from '../../src/slack/platform/qr-links.ts'
import type { Installations } from '../../src/workspaces/installations.ts'
import type { DeliveryStore } from '../../src/workspaces/deliveries.ts'
import type { HomeTabs } from '../../src/workspaces/home-tabs.ts'
import { createKeyring } from '../../src/workspaces/keyring.ts'
import type { MadeLinks } from '../../src/workspaces/made-links.ts'
import type { RecentUtm } from '../../src/workspaces/recent-utm.ts'
import type { KeyNoticeStore } from '../../src/workspaces/key-notices.ts'
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
    homeTabs: {} as HomeTabs,
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

/** The IDs that features register, by kind. */
const registered = new Map<string, unknown[]>()

vi.mock(import('../../src/slack/platform/listeners.ts'), async (original) => {
  const module = await original()
  return {
    ...module,
    createListeners: (...args) => {
      registered.clear()
      const listeners = module.createListeners(...args)
      return new Proxy(listeners, {
        get: (target, kind: keyof typeof listeners) => (id: string, listener: never) => {
          registered.set(kind, [...(registered.get(kind) ?? []), id])
          return target[kind](id as never, listener)
        },
      })
    },
  }
})

test('registers a listener for everything that Slack sends back, once', async () => {
  const events = vi.spyOn(App.prototype, 'event')
  await createApp()
  const ids = (kind: string): unknown[] => (registered.get(kind) ?? []).toSorted()
  expect(ids('action')).toEqual(Object.values(ACTIONS).toSorted())
  const readOnly: string[] = [VIEWS.settings, VIEWS.settingsTemplates, VIEWS.notice]
  const forms = Object.values(VIEWS).filter((callbackId) => !readOnly.includes(callbackId))
  expect(ids('formSubmission')).toEqual(forms.toSorted())
  expect(ids('globalShortcut')).toEqual([GLOBAL_SHORTCUT])
  expect(ids('messageShortcut')).toEqual([MESSAGE_SHORTCUT])
  expect(ids('workflowStep')).toEqual([WORKFLOW_STEP])
  const names = Object.values(EVENTS).filter((name) => name !== EVENTS.stepExecuted)
  expect(events.mock.calls.map(([name]: readonly unknown[]) => name).toSorted()).toEqual(
    names.toSorted(),
  )
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

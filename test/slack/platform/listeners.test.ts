import { App, type Receiver } from '@slack/bolt'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { problemMessage } from '../../../src/slack/block-kit/notices.ts'
import { ACTIONS, VIEWS } from '../../../src/slack/ids.ts'
import { SlackInputError } from '../../../src/slack/platform/field-errors.ts'
import {
  createListeners,
  type FormSubmission,
  type Listeners,
} from '../../../src/slack/platform/listeners.ts'
import { boltLogger } from '../../../src/slack/platform/slack-client.ts'
import { fakePlatform } from '../../support/platform.ts'

const USER = { team: { id: 'T1' }, user: { id: 'U1' } }
const ACTION = {
  ...USER,
  type: 'block_actions',
  response_url: 'https://hooks.slack.com/1',
  container: { type: 'message', message_ts: '5.0' },
  actions: [{ type: 'button', action_id: ACTIONS.openForm, block_id: 'b', value: 'x' }],
}
const FORM = {
  ...USER,
  type: 'view_submission',
  view: { id: 'V1', callback_id: VIEWS.share, state: { values: {} }, blocks: [] as object[] },
}
const EVENT = {
  type: 'event_callback',
  team_id: 'T1',
  event: { type: 'app_home_opened', user: 'U1', tab: 'home' },
}
const STEP = {
  ...EVENT,
  event: {
    type: 'function_executed',
    function: { callback_id: 'step' },
    function_execution_id: 'Fx1',
    inputs: {},
  },
}

/** The app, without a connection to Slack: `send` delivers a request. */
function setUp() {
  const platform = fakePlatform()
  const acknowledgements: unknown[] = []
  const receiver: Receiver = {
    init: () => undefined,
    start: async () => ({}),
    stop: async () => ({}),
  }
  const app = new App({
    receiver,
    authorize: async () => ({ botToken: 'xoxb-1', botId: 'B1', botUserId: 'UB' }),
    convoStore: false,
    logger: boltLogger(pino({ level: 'silent' })),
  })
  const failures: Error[] = []
  app.error(async (error) => void failures.push(error.original ?? error))
  const send = async (body: object): Promise<void> => {
    const ack = async (response?: unknown) => void acknowledgements.push(response)
    await app.processEvent({ body, ack })
    await platform.tasks.drained()
  }
  const listeners: Listeners = createListeners(app, platform)
  return { platform, listeners, acknowledgements, send, failures }
}

const inputError = new SlackInputError([{ message: 'No.' }])

test('logs an unexpected error, and tells the user that something went wrong', async () => {
  const { listeners, send, platform } = setUp()
  listeners.action(ACTIONS.openForm, () => Promise.reject(new TypeError('a bug')))
  await send(ACTION)
  const text = 'Something went wrong on our side, and it has been logged. Please try again.'
  const target = { userId: 'U1', responseUrl: ACTION.response_url, threadTs: undefined }
  expect(platform.sent).toEqual([{ target, message: problemMessage([text]) }])
  expect(platform.logged).toHaveLength(1)
  expect(platform.logged[0]).toContain('a bug')
})

test.each([
  ['before it acknowledges the form', (): Promise<void> => Promise.reject(inputError)],
  [
    'after it has acknowledged the form',
    async ({ ack }: FormSubmission) => {
      await ack()
      throw inputError
    },
  ],
])(
  'acknowledges a form once, and answers the error of a listener that fails %s',
  async (_when, run) => {
    const { listeners, acknowledgements, send, platform } = setUp()
    listeners.formSubmission(VIEWS.share, run)
    await send(FORM)
    expect(acknowledgements).toEqual([undefined])
    expect(platform.sent).toMatchObject([
      { target: { userId: 'U1' }, message: problemMessage(['No.']) },
    ])
  },
)

test('shows the error of a listener in the form, which stays open with what the user typed', async () => {
  const { listeners, send, platform, acknowledgements } = setUp()
  listeners.formSubmission(VIEWS.share, () => Promise.reject(inputError))
  const blocks = [{ type: 'section' }, { type: 'input', block_id: 'title' }]
  await send({ ...FORM, view: { ...FORM.view, blocks } })
  expect(acknowledgements).toEqual([{ response_action: 'errors', errors: { title: 'No.' } }])
  expect(platform.sent).toEqual([])
})

test('logs an error message that can’t be sent', async () => {
  const { listeners, send, platform } = setUp()
  platform.replies.send = () => Promise.reject(new Error('channel_not_found'))
  listeners.action(ACTIONS.openForm, () => Promise.reject(inputError))
  await send(ACTION)
  expect(platform.logged).toHaveLength(1)
  expect(platform.logged[0]).toContain('channel_not_found')
})

test('passes the caller to the listener of an event, and leaves a failure to the app', async () => {
  const { listeners, send, platform, failures } = setUp()
  const callers: unknown[] = []
  listeners.event('app_home_opened', async (caller, { event }) => {
    callers.push(caller, event.user)
    throw new Error('a bug')
  })
  await send(EVENT)
  expect(callers).toMatchObject([{ workspace: { id: 'T1' }, userId: 'U1' }, 'U1'])
  expect(failures.map(({ message }) => message)).toEqual(['a bug'])
  expect(platform.sent).toEqual([])
})

test.each<[string, object, (on: Listeners, run: () => Promise<void>) => void]>([
  ['an action', ACTION, (on, run) => on.action(ACTIONS.openForm, run)],
  ['a form', FORM, (on, run) => on.formSubmission(VIEWS.share, run)],
  ['an event', EVENT, (on, run) => on.event('app_home_opened', run)],
  ['a workflow step', STEP, (on, run) => on.workflowStep('step', run)],
])('counts %s as in flight until its listener ends', async (_kind, body, register) => {
  const { listeners, send, platform } = setUp()
  const steps: string[] = []
  const begun = Promise.withResolvers<undefined>()
  const ended = Promise.withResolvers<undefined>()
  register(listeners, async () => {
    begun.resolve(undefined)
    await ended.promise
    steps.push('ended')
  })
  void send(body)
  await begun.promise
  const drained = platform.tasks.drained().then(() => steps.push('drained'))
  ended.resolve(undefined)
  await drained
  expect(steps).toEqual(['ended', 'drained'])
})

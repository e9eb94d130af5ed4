import type { KnownBlock } from '@slack/types'
import { expect, test } from 'vitest'
import { slackForEach } from '../../support/slack-for-each.ts'

const plain = (text: string) => ({ type: 'plain_text' as const, text })
const option = (text: string) => ({ text: plain(text), value: text.toLowerCase() })

const BUTTON = { type: 'button' as const, action_id: 'press', text: plain('Press'), value: '7' }
const MENU = {
  type: 'static_select' as const,
  action_id: 'sort',
  options: [option('Newest'), option('Oldest')],
  initial_option: option('Newest'),
}
const OVERFLOW = {
  type: 'overflow' as const,
  action_id: 'more',
  options: [option('Edit'), option('Delete')],
}
const BLOCKS: KnownBlock[] = [
  { type: 'actions', block_id: 'row', elements: [BUTTON, MENU, OVERFLOW] },
]

const CONTAINER = { type: 'message', channel_id: 'C0GENERAL000' }

const { slack, app, client } = slackForEach()

async function postMessage(thread_ts?: string): Promise<string> {
  const message = { channel: 'C0GENERAL000', text: 'choose', blocks: BLOCKS }
  const thread = thread_ts === undefined ? {} : { thread_ts }
  return (await client.chat.postMessage({ ...message, ...thread })).ts ?? ''
}

test('sends the app a pressed button, its message and its value', async () => {
  const ts = await postMessage()
  await slack.ben.presses('Press', { in: 'general' })
  expect(app.last()).toEqual({
    type: 'block_actions',
    team: { id: 'T0PLAYGROUND', domain: 'playground' },
    user: { id: slack.ben.id, username: 'ben', name: 'ben', team_id: 'T0PLAYGROUND' },
    api_app_id: 'A0PLAYGROUND',
    token: expect.any(String) as unknown,
    enterprise: null,
    is_enterprise_install: false,
    trigger_id: expect.any(String) as unknown,
    container: { ...CONTAINER, message_ts: ts, is_ephemeral: false },
    channel: { id: 'C0GENERAL000', name: 'general' },
    message: {
      type: 'message',
      user: 'U0APPBOTUSER',
      bot_id: 'B0PLAYGROUND',
      app_id: 'A0PLAYGROUND',
      ts,
      team: 'T0PLAYGROUND',
      text: 'choose',
      blocks: BLOCKS,
    },
    state: {
      values: { row: { sort: { type: 'static_select', selected_option: option('Newest') } } },
    },
    response_url: expect.stringContaining('/hooks/') as unknown,
    actions: [{ ...BUTTON, block_id: 'row', action_ts: expect.any(String) as unknown }],
  })
})

test('sends the selected option of a menu, but not the other options', async () => {
  await postMessage()
  await slack.ana.chooses('Oldest', { in: 'general', of: 'sort' })
  expect(app.last().actions).toEqual([
    {
      type: 'static_select',
      action_id: 'sort',
      block_id: 'row',
      initial_option: option('Newest'),
      selected_option: option('Oldest'),
      action_ts: expect.any(String) as unknown,
    },
  ])
  expect(app.last().state).toEqual({
    values: { row: { sort: { type: 'static_select', selected_option: option('Oldest') } } },
  })
  await slack.ana.chooses('Delete', { in: 'general' })
  expect(app.last().actions).toMatchObject([
    { type: 'overflow', action_id: 'more', selected_option: option('Delete') },
  ])
})

test('does not send an ephemeral message back to the app', async () => {
  const message = { channel: 'C0GENERAL000', text: 'choose', blocks: BLOCKS }
  const { message_ts } = await client.chat.postEphemeral({ ...message, user: slack.ben.id })
  await slack.ben.presses('Press', { in: 'general' })
  expect(app.last()).not.toHaveProperty('message')
  expect(app.last().container).toEqual({ ...CONTAINER, message_ts, is_ephemeral: true })
})

test('sends the thread of a message', async () => {
  const [parent] = slack.ana.sees('general')
  await postMessage(parent?.ts)
  await slack.ana.presses('Press', { in: 'general' })
  expect(app.last().container).toMatchObject({ thread_ts: parent?.ts })
})

test('sends a form’s current values with a used element, and a menu keeps its selection', async () => {
  const element = { type: 'plain_text_input' as const, action_id: 'input' }
  const name = { type: 'input' as const, block_id: 'name', label: plain('Name'), element }
  const form = { type: 'modal' as const, title: plain('A form'), submit: plain('Send') }
  const view = { ...form, blocks: [name, ...BLOCKS] }
  await slack.ana.types('/shorten', { in: 'general' })
  const trigger_id = String(app.last().trigger_id)
  const { view: opened } = await client.views.open({ trigger_id, view })

  slack.ana.fills({ name: 'Ana' })
  await slack.ana.chooses('Oldest')
  const values = {
    name: { input: { type: 'plain_text_input', value: 'Ana' } },
    row: { sort: { type: 'static_select', selected_option: option('Oldest') } },
  }
  expect(app.last()).toMatchObject({
    container: { type: 'view', view_id: opened?.id },
    view: { id: opened?.id, state: { values } },
  })
  expect(app.last()).not.toHaveProperty('response_url')

  const blocks = [...view.blocks, { ...name, block_id: 'second' }]
  await client.views.update({ view_id: opened?.id ?? '', view: { ...view, blocks } })
  await slack.ana.presses('Press')
  expect(app.last()).toMatchObject({
    view: { state: { values: { ...values, second: { input: { value: null } } } } },
  })
})

test('sends nothing if an element or option does not exist', async () => {
  const ts = await postMessage()
  const container = { kind: 'message' as const, conversation: 'C0GENERAL000', ts }
  const action = { type: 'block_action' as const, container, values: {}, blockId: 'row' }
  const choose = (element: Record<string, unknown>) =>
    slack.workspace.act(slack.ana.id, { ...action, element })
  expect(await choose({ action_id: 'sort', selected_option: option('Cheapest') })).toEqual({
    ok: false,
    message: 'This option isn’t available.',
  })
  expect(await choose({ action_id: 'gone' })).toEqual({
    ok: false,
    message: 'This message or form has changed.',
  })
  expect(app.requests).toEqual([])
})

test('reports an app that does not respond, or fails', async () => {
  await postMessage()
  app.answerNext({ status: 500 }, 'silent')
  const press = () => slack.ana.presses('Press', { in: 'general' })
  await expect(press()).rejects.toThrow('Backhalf responded with the status code 500.')
  await expect(press()).rejects.toThrow('Backhalf did not respond.')
})

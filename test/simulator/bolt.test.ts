import { App, HTTPReceiver, LogLevel } from '@slack/bolt'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  BOT_TOKEN,
  SIGNING_SECRET,
  startSimulatedWorkspace,
  type TestWorkspace,
} from '../support/workspace.ts'

/** A tiny app on the real Bolt, to test that it works with the simulator. */
let slack: TestWorkspace
let app: App
let server: Server

beforeEach(async () => {
  slack = await startSimulatedWorkspace()
  const receiver = new HTTPReceiver({ signingSecret: SIGNING_SECRET, logLevel: LogLevel.ERROR })
  app = new App({
    token: BOT_TOKEN,
    receiver,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: slack.apiUrl },
  })
  server = createServer((request, response) => receiver.requestListener(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  slack.connectApp(`http://127.0.0.1:${(server.address() as AddressInfo).port}/slack/events`)
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
  await slack.close()
})

const FORM = {
  type: 'modal' as const,
  callback_id: 'form',
  title: { type: 'plain_text' as const, text: 'A form' },
  submit: { type: 'plain_text' as const, text: 'Send' },
  blocks: [
    {
      type: 'input' as const,
      block_id: 'name',
      label: { type: 'plain_text' as const, text: 'Name' },
      element: { type: 'plain_text_input' as const, action_id: 'input' },
    },
  ],
}

test('a command is answered through its response_url, only for the person', async () => {
  app.command('/shorten', async ({ ack, respond, command }) => {
    await ack()
    await respond(`You said ${command.text} in ${command.channel_name}`)
  })

  await slack.ana.types('/shorten  https://example.com/?a=1&b=2 ', { in: 'marketing' })

  const message = await slack.until(() => slack.ana.newest('marketing'))
  expect(message).toEqual({
    ts: message.ts,
    author: { kind: 'app' },
    text: 'You said https://example.com/?a=1&b=2 in marketing',
    ephemeral: true,
    edited: false,
  })
  expect(slack.ben.newest('marketing')).toBeUndefined()
  expect(slack.refusals()).toEqual([])
})

test('a form is opened, filled in, and submitted', async () => {
  app.command('/shorten', async ({ ack, client, body }) => {
    await ack()
    await client.views.open({ trigger_id: body.trigger_id, view: FORM })
  })
  app.view('form', async ({ ack, view, body, client }) => {
    await ack()
    const name = view.state.values.name?.input?.value ?? ''
    await client.chat.postMessage({ channel: body.user.id, text: `Hello ${name}` })
  })

  await slack.ben.types('/shorten', { in: 'general' })
  await slack.until(() => slack.ben.modal())
  await slack.ben.submits()
  expect(slack.ben.modal()?.errors).toEqual({ name: 'Please complete this required field.' })
  slack.ben.fills({ Name: 'Ben' })
  await slack.ben.submits()

  expect(slack.ben.modal()).toBeUndefined()
  expect((await slack.until(() => slack.ben.newest('app'))).text).toBe('Hello Ben')
  expect(slack.refusals()).toEqual([])
})

test('a file reaches the app with a URL that the bot token can read', async () => {
  const view = {
    ...FORM,
    blocks: [
      {
        type: 'input' as const,
        block_id: 'card',
        label: { type: 'plain_text' as const, text: 'Card' },
        element: { type: 'file_input' as const, action_id: 'input', filetypes: ['png'] },
      },
    ],
  }
  app.shortcut('shorten_link', async ({ ack, client, body }) => {
    await ack()
    await client.views.open({ trigger_id: body.trigger_id, view })
  })
  const received = Promise.withResolvers<string>()
  app.view('form', async ({ ack, view: submitted }) => {
    await ack({ response_action: 'clear' })
    const [file] = submitted.state.values.card?.input?.files ?? []
    const headers = { authorization: `Bearer ${BOT_TOKEN}` }
    const response = await fetch(file?.url_private_download ?? '', { headers })
    received.resolve(`${file?.name ?? ''}: ${await response.text()}`)
  })

  await slack.ana.runsShortcut('shorten_link')
  await slack.until(() => slack.ana.modal())
  slack.ana.uploads('Card', { name: 'a card.png', bytes: Buffer.from('the bytes') })
  await slack.ana.submits()
  expect(await received.promise).toBe('a card.png: the bytes')
  expect(slack.ana.modal()).toBeUndefined()
  expect(slack.refusals()).toEqual([])
})

test('a message shortcut is answered in a thread, and a button replaces its message', async () => {
  app.shortcut({ type: 'message_action' }, async ({ ack, shortcut, respond }) => {
    await ack()
    const { ts } = shortcut.message
    await respond({
      text: 'choose',
      thread_ts: ts,
      blocks: [
        {
          type: 'actions',
          elements: [
            { type: 'button', action_id: 'press', text: { type: 'plain_text', text: 'Press' } },
          ],
        },
      ],
    })
  })
  app.action('press', async ({ ack, respond }) => {
    await ack()
    await respond({ text: 'pressed', replace_original: true })
  })

  const [message] = slack.ben.sees('marketing')
  if (!message) throw new Error('the seeds have messages')
  await slack.ben.runsMessageShortcut('shorten_message_links', 'marketing', message)
  const answer = await slack.until(() => slack.ben.newest('marketing'))
  expect(answer).toMatchObject({ text: 'choose', threadTs: message.ts, ephemeral: true })
  await slack.ben.presses('Press', { in: 'marketing' })
  await slack.until(() => slack.ben.newest('marketing')?.text === 'pressed')
  expect(slack.refusals()).toEqual([])
})

test('the Home tab is published when a person opens it', async () => {
  app.event('app_home_opened', async ({ event, client }) => {
    await client.views.publish({
      user_id: event.user,
      view: { type: 'home', blocks: [{ type: 'divider' }] },
    })
  })
  await slack.ana.opensHome()
  expect(await slack.until(() => slack.ana.home())).toMatchObject({ type: 'home' })
})

test('Bolt rejects a request that is signed with another secret', async () => {
  const other = await startSimulatedWorkspace({ signingSecret: 'another secret' })
  other.connectApp(`http://127.0.0.1:${(server.address() as AddressInfo).port}/slack/events`)
  await expect(other.ana.types('/shorten', { in: 'general' })).rejects.toThrow('dispatch_failed')
  await other.close()
})

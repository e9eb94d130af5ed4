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

/** A tiny app on the real Bolt: whether it understands the simulation is what is tested here. */
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

test('a command is answered through its response_url, for the person alone', async () => {
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
    files: [],
    ephemeral: true,
    edited: false,
  })
  expect(slack.ben.newest('marketing')).toBeUndefined()
  expect(slack.refusals()).toEqual([])
})

test('a form is opened with the trigger, filled in, and submitted', async () => {
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

import { App, HTTPReceiver } from '@slack/bolt'
import type { AddressInfo } from 'node:net'
import { SIGNING_SECRET, SLACK_TOKEN } from '../fake-slack.ts'
import { announce } from '../target.ts'

/** The minimum that Bolt can do with the same command: acknowledge it and send a one-word reply. */
const [slackApiUrl = ''] = process.argv.slice(2)
const receiver = new HTTPReceiver({ signingSecret: SIGNING_SECRET, endpoints: '/slack/events' })
const app = new App({ receiver, token: SLACK_TOKEN, clientOptions: { slackApiUrl } })
app.command('/shorten', async ({ ack, respond }) => {
  await ack()
  await respond('Created.')
})
const server = await receiver.start(0)
const { port } = server.address() as AddressInfo
announce({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'none' })

import { afterEach, expect, test } from 'vitest'
import { openStandIn } from '../../src/setup/local-servers.ts'
import { freePort } from '../support/free-port.ts'

let standIn: Awaited<ReturnType<typeof openStandIn>>
afterEach(() => standIn?.[Symbol.asyncDispose]())

async function open(): Promise<string> {
  const port = await freePort()
  standIn = await openStandIn('127.0.0.1', port)
  return `http://127.0.0.1:${port}`
}

const post = (url: string, body: string): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })

test('responds to the health check as Backhalf does, also below a path', async () => {
  const url = await open()
  for (const path of ['/healthz', '/links/healthz']) {
    const response = await fetch(url + path)
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('{"status":"ok"}')
  }
})

test('returns the challenge with which Slack verifies the address', async () => {
  const url = await open()
  const challenge = '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P'
  const body = JSON.stringify({ token: 'x', challenge, type: 'url_verification' })
  const response = await post(`${url}/slack/events`, body)
  expect(response.status).toBe(200)
  expect(await response.text()).toBe(challenge)
})

const LONG = { type: 'url_verification', challenge: 'a', b: 'b'.repeat(10_000) }

test.each([
  ['another event', '{"type":"event_callback","challenge":"a"}'],
  ['a challenge with markup', '{"type":"url_verification","challenge":"<b>"}'],
  ['no JSON', 'payload=1'],
  ['null', 'null'],
  ['a body that is too long', JSON.stringify(LONG)],
])('refuses %s', async (_what, body) => {
  const response = await post(`${await open()}/slack/events`, body)
  expect(response.status).toBe(503)
  expect(await response.text()).toBe('Backhalf is being set up.\n')
})

test('does not open if the port is in use', async () => {
  const port = Number(new URL(await open()).port)
  expect(await openStandIn('127.0.0.1', port)).toBeUndefined()
})

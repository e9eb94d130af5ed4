import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { conflictKind, conflictingLink } from '../../src/client/conflict.ts'
import { ApiError, LinkExistsError } from '../../src/client/errors.ts'
import { createLinkClient, type LinkClient } from '../../src/client/link-client.ts'
import { createTransport, type Transport } from '../../src/client/transport.ts'
import type { CreateRequest } from '../../src/contract/link-requests.ts'
import { IDEMPOTENCY_KEY_HEADER } from '../../src/contract/endpoints.ts'
import { startService, type RunningService } from '../support/service.ts'

let service: RunningService
let transport: Transport
let client: LinkClient
beforeEach(async () => {
  service = await startService()
  transport = createTransport()
  client = clientOf(service.baseUrl)
})
afterEach(async () => {
  await transport.close()
  await service.close()
})

const clientOf = (baseUrl: string, apiKey = service.apiKey): LinkClient =>
  createLinkClient({ transport, baseUrl, apiKey })

const requestFor = (destination_url: string, more: Partial<CreateRequest> = {}): CreateRequest => ({
  destination_url,
  domain: service.domain.name,
  ...more,
})

async function apiErrorOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => 'no error',
    (reason: unknown) => reason,
  )
  if (error instanceof ApiError) return error
  throw new Error(`not an ApiError: ${String(error)}`)
}

test('distinguishes the service’s errors', async () => {
  await client.create(requestFor('https://example.com/a', { back_half: 'spring' }), {
    idempotencyKey: '1',
  })

  const again = requestFor('https://example.com/a', { back_half: 'summer' })
  const duplicate = await apiErrorOf(client.create(again, { idempotencyKey: '2' }))
  expect(conflictKind(duplicate, again)).toBe('duplicate')
  expect(conflictingLink(duplicate)?.shortlink_url).toBe(`${service.baseUrl}/spring`)

  const taken = requestFor('https://example.com/b', { back_half: 'spring' })
  const conflict = await apiErrorOf(client.create(taken, { idempotencyKey: '3' }))
  expect(conflictKind(conflict, taken)).toBe('back_half')

  const invalidRequest = requestFor('ftp://example.com', { back_half: 'no spaces' })
  const invalid = await apiErrorOf(client.create(invalidRequest, { idempotencyKey: '4' }))
  expect(invalid.status).toBe(422)
  expect(Object.keys(invalid.fieldMessages).sort()).toEqual(['back_half', 'destination_url'])

  const unauthorized = await apiErrorOf(clientOf(service.baseUrl, 'bh_unknown').list())
  expect(unauthorized).toMatchObject({ status: 401, code: 'AUTHENTICATION_REQUIRED' })
})

/** Forwards requests to the service, but drops the first create, either before or after the service gets it. */
async function lossyProxy({
  drops,
  keepsIdempotencyKey = false,
}: {
  drops: 'request' | 'response'
  keepsIdempotencyKey?: boolean
}) {
  let creates = 0
  const server = createServer((incoming, outgoing) => {
    void buffer(incoming).then((body) => {
      const { [IDEMPOTENCY_KEY_HEADER]: _key, ...others } = incoming.headers
      const { method, url } = incoming
      const headers = keepsIdempotencyKey ? incoming.headers : others
      const isDropped = method === 'POST' && creates++ === 0
      if (isDropped && drops === 'request') return void outgoing.destroy()
      httpRequest(service.baseUrl + (url ?? ''), { method, headers }, (answer) => {
        if (isDropped) outgoing.destroy()
        else answer.pipe(outgoing.writeHead(answer.statusCode ?? 500, answer.headers))
      }).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      return creates
    },
  }
}

test.each([
  ['that honors the idempotency key', true],
  ['that ignores the idempotency key', false],
])(
  'creates one link at a service %s if a response gets lost, and sends the create once',
  async (_what, keepsIdempotencyKey) => {
    const proxy = await lossyProxy({ drops: 'response', keepsIdempotencyKey })
    try {
      const created = await clientOf(proxy.url).create(requestFor('https://example.com/a'), {
        idempotencyKey: 'key',
      })
      expect((await client.list()).links).toEqual([expect.objectContaining(created)])
    } finally {
      expect(await proxy.close()).toBe(1)
    }
  },
)

test('does not mistake a link that was made elsewhere for its own if its request gets lost', async () => {
  const elsewhere = await client.create(requestFor('https://example.com/a'), {
    idempotencyKey: 'elsewhere',
  })
  // The next create is sent at a later time: the service's clock counts milliseconds.
  const { created_at } = (await client.list()).links[0] ?? {}
  while (Date.now() <= Date.parse(created_at ?? '')) await new Promise(setImmediate)
  const proxy = await lossyProxy({ drops: 'request' })
  try {
    const error: unknown = await clientOf(proxy.url)
      .create(requestFor('https://example.com/a'), { idempotencyKey: 'key' })
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(LinkExistsError)
    expect(error).toMatchObject({ link: elsewhere })
  } finally {
    await proxy.close()
  }
})

test('creates the link if its first request gets lost', async () => {
  const proxy = await lossyProxy({ drops: 'request' })
  try {
    const request = requestFor('https://example.com/a')
    const created = await clientOf(proxy.url).create(request, { idempotencyKey: 'key' })
    expect((await client.list()).links).toEqual([expect.objectContaining(created)])
  } finally {
    expect(await proxy.close()).toBe(2)
  }
})

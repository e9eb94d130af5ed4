import { failureOf, LinkServiceError } from '../../../src/port/failures.ts'
import { expect, onTestFinished } from 'vitest'
import type { LinkService } from '../../../src/port/link-service.ts'
import { createLinkClient } from '../../../src/drivers/backhalf/link-client.ts'
import { createTransport } from '../../../src/client/transport.ts'
import type { CreateRequest } from '../../../src/contract/link-requests.ts'
import { startFakeLinkService } from '../../support/fake-link-service.ts'
import { withService } from '../../support/fixtures.ts'
import { call } from '../../support/service-calls.ts'
import { errorOf } from '../../support/test-client.ts'

const { test, service } = withService()
const transport = createTransport()
test.afterAll(() => transport.close())

const clientOf = (baseUrl: string, apiKey = service.apiKey): LinkService =>
  createLinkClient({ transport, baseUrl, apiKey })

const requestFor = (destination_url: string, more: Partial<CreateRequest> = {}): CreateRequest => ({
  destination_url,
  domain: service.domain.name,
  ...more,
})

async function apiErrorOf(failing: Promise<unknown>): Promise<LinkServiceError> {
  const error = await errorOf(failing)
  if (error instanceof LinkServiceError) return error
  throw new Error(`not a LinkServiceError: ${String(error)}`)
}

test('distinguishes the service’s errors', async () => {
  const client = clientOf(service.baseUrl)
  const create = (request: CreateRequest) =>
    client.create(request, { idempotencyKey: JSON.stringify(request) })
  await create(requestFor('https://example.com/a', { back_half: 'spring' }))

  const again = requestFor('https://example.com/a', { back_half: 'summer' })
  const duplicate = await apiErrorOf(create(again))
  const link = { shortlink_url: `${service.baseUrl}/spring` }
  expect(duplicate.failure).toMatchObject({ kind: 'duplicate', link })

  const taken = requestFor('https://example.com/b', { back_half: 'spring' })
  expect((await apiErrorOf(create(taken))).failure.kind).toBe('back_half_taken')

  const invalid = await apiErrorOf(
    create(requestFor('ftp://example.com', { back_half: 'no spaces' })),
  )
  expect(invalid.status).toBe(422)
  const fields = Object.keys(failureOf(invalid, 'invalid')?.fields ?? {})
  expect(fields.sort()).toEqual(['back_half', 'destination_url'])

  const unauthorized = await apiErrorOf(clientOf(service.baseUrl, 'bh_unknown').list())
  expect(unauthorized).toMatchObject({ status: 401, code: 'AUTHENTICATION_REQUIRED' })
})

/**
 * Creates a link through a proxy, which breaks the connection of the first create before or after the service gets it.
 * The service sees no idempotency key.
 */
async function createWithLoss(lost: 'request' | 'response', destination: string) {
  let creates = 0
  const proxy = await startFakeLinkService(async ({ method, url, headers, body }) => {
    const isLost = method === 'POST' && creates++ === 0
    if (isLost && lost === 'request') return 'destroy'
    const answer = await call(service.baseUrl + url, {
      method,
      headers: {
        'x-api-key': String(headers['x-api-key']),
        'content-type': headers['content-type'] ?? 'application/json',
      },
      ...(method === 'POST' && { body }),
    })
    return isLost ? 'destroy' : { status: answer.status, body: answer.body }
  })
  onTestFinished(() => proxy.close())
  const link = await clientOf(proxy.baseUrl).create(requestFor(destination), {
    idempotencyKey: 'key',
  })
  const { links } = await clientOf(service.baseUrl).list()
  return { link, newest: links[0], creates }
}

test('creates one link if a response gets lost, and sends the create once', async () => {
  const { link, newest, creates } = await createWithLoss('response', 'https://example.com/c')
  expect(newest).toMatchObject(link)
  expect(creates).toBe(1)
})

test('creates the link if its first request gets lost', async () => {
  const { link, newest, creates } = await createWithLoss('request', 'https://example.com/d')
  expect(newest).toMatchObject(link)
  expect(creates).toBe(2)
})

test('does not mistake a link that was created elsewhere for its own if its request gets lost', async () => {
  const client = clientOf(service.baseUrl)
  const request = requestFor('https://example.com/e')
  const elsewhere = await client.create(request, { idempotencyKey: 'elsewhere' })
  // The next create is sent at a later time: the service's clock counts milliseconds.
  const { created_at } = (await client.list()).links[0] ?? {}
  while (Date.now() <= Date.parse(created_at ?? '')) await new Promise(setImmediate)
  const error = await errorOf(createWithLoss('request', 'https://example.com/e'))
  expect(error).toMatchObject({ failure: { kind: 'uncertain' } })
  expect(error).toMatchObject({ failure: { link: elsewhere } })
})

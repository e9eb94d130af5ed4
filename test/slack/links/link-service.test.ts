import { pino } from 'pino'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/timing/clock.ts'
import { ApiError } from '../../../src/client/errors.ts'
import type { LinkClient } from '../../../src/client/link-client.ts'
import { createInFlightTasks } from '../../../src/http/in-flight-tasks.ts'
import { createLinkService } from '../../../src/slack/links/link-service.ts'
import { NotConnectedError } from '../../../src/workspaces/connection.ts'

const DOMAIN = { name: 'dom_1', domain_name: 'go.example.com' }
const REQUEST = { destination_url: 'https://example.com/', domain: 'dom_1' }
const SHORTLINK = { name: 'lnk_1', destination_url: 'x', shortlink_url: 'https://go.example.com/x' }

function setUp(client: Partial<LinkClient>) {
  const lines: string[] = []
  const keys: string[] = []
  const refused: unknown[] = []
  const logger = pino({}, { write: (line: string) => void lines.push(line) })
  const linkService = createLinkService({
    reminders: { setExpiry: async () => undefined },
    clock: systemClock,
    tasks: createInFlightTasks(logger),
    workspaces: {
      connection: async ({ id }) =>
        id === 'T1' ? { apiKey: 'key-1', domains: [DOMAIN], source: 'connected' } : undefined,
      keepOffers: async () => undefined,
    },
    linkClient: (apiKey) => {
      keys.push(apiKey)
      return client as LinkClient
    },
    logger,
    onRefusedKey: ({ workspaceId, apiKey, error }) =>
      refused.push([workspaceId, apiKey, error.status]),
  })
  return { linkService, keys, lines, refused }
}

test('calls the link service with the workspace’s own key', async () => {
  const { linkService, keys } = setUp({ create: async () => SHORTLINK })
  expect(await linkService.create({ id: 'T1' }, REQUEST, 'idempotency-key')).toBe(SHORTLINK)
  expect(keys).toEqual(['key-1'])
})

test('passes calls for a single link on, with the workspace’s own key', async () => {
  const calls: unknown[][] = []
  const record =
    <T>(answer: T) =>
    async (...args: unknown[]) => {
      calls.push(args)
      return answer
    }
  const read = { link: SHORTLINK, etag: '"1"' }
  const { linkService, keys } = setUp({ get: record(read), update: record(read) })
  const options = { etag: '"1"' }
  expect(await linkService.get({ id: 'T1' }, 'lnk_1')).toBe(read)
  expect(await linkService.update({ id: 'T1' }, 'lnk_1', { title: 'x' }, options)).toBe(read)
  expect(calls).toEqual([['lnk_1'], ['lnk_1', { title: 'x' }, options]])
  expect(keys).toEqual(['key-1', 'key-1'])
})

test('throws if the workspace is not connected', async () => {
  const { linkService, keys } = setUp({})
  const workspace = { id: 'T2' }
  await expect(linkService.connection(workspace)).rejects.toThrow(NotConnectedError)
  await expect(linkService.create(workspace, REQUEST, 'k')).rejects.toThrow(NotConnectedError)
  await expect(linkService.list(workspace, {})).rejects.toThrow(NotConnectedError)
  expect(keys).toEqual([])
})

test('logs a failed call with the service’s request ID, and rethrows the error', async () => {
  const error = new ApiError({
    status: 500,
    message: 'Down.',
    code: 'INTERNAL_ERROR',
    requestId: 'r-1',
  })
  const { linkService, lines } = setUp({ list: () => Promise.reject(error) })
  await expect(linkService.list({ id: 'T1' }, {})).rejects.toBe(error)
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 40,
    msg: 'a call to the link service failed',
    status: 500,
    code: 'INTERNAL_ERROR',
    serviceRequestId: 'r-1',
  })
  expect(lines[0]).not.toContain('key-1')
})

const withStatus = (status: number, message?: string) =>
  new ApiError({ status, ...(message && { message }) })

test.each([
  [401, undefined],
  [403, 'This API key does not allow shortlinks:create.'],
])('reports the key if a create is refused with %d', async (status, message) => {
  const { linkService, refused } = setUp({
    create: () => Promise.reject(withStatus(status, message)),
  })
  await expect(linkService.create({ id: 'T1' }, REQUEST, 'k')).rejects.toThrow(ApiError)
  expect(refused).toEqual([['T1', 'key-1', status]])
})

test('reports the key if another call is refused with 401', async () => {
  const { linkService, refused } = setUp({ list: () => Promise.reject(withStatus(401)) })
  await expect(linkService.list({ id: 'T1' }, {})).rejects.toThrow(ApiError)
  expect(refused).toEqual([['T1', 'key-1', 401]])
})

test.each([
  [403, 'You have used up the links of your plan.'],
  [404, undefined],
  [429, undefined],
  [500, undefined],
  [503, undefined],
])('does not report the key after a %d that is not about it', async (status, message) => {
  const { linkService, refused } = setUp({
    create: () => Promise.reject(withStatus(status, message)),
    list: () => Promise.reject(withStatus(403, 'This key does not allow shortlinks:read.')),
  })
  await expect(linkService.create({ id: 'T1' }, REQUEST, 'k')).rejects.toThrow(ApiError)
  await expect(linkService.list({ id: 'T1' }, {})).rejects.toThrow(ApiError)
  expect(refused).toEqual([])
})

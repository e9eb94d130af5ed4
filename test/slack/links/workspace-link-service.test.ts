import { LinkServiceError } from '../../../src/port/failures.ts'
import { WebClient } from '@slack/web-api'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { failedCall } from '../../support/failed-call.ts'
import { SPECIFICATION } from '../../../src/port/capabilities.ts'
import type { LinkService } from '../../../src/port/link-service.ts'
import { systemClock } from '../../../src/timing/clock.ts'
import { createInFlightTasks } from '../../../src/http/in-flight-tasks.ts'
import { createWorkspaceLinkService } from '../../../src/slack/links/workspace-link-service.ts'

const REQUEST = { destination_url: 'https://example.com/', domain: 'dom_1' }

const ACTOR = { workspace: { id: 'T1' }, client: new WebClient() }

function setUp(client: Partial<LinkService>) {
  const lines: string[] = []
  const refused: unknown[] = []
  const logger = pino({}, { write: (line: string) => void lines.push(line) })
  const linkService = createWorkspaceLinkService({
    reminders: { setExpiry: async () => undefined },
    clock: systemClock,
    tasks: createInFlightTasks(logger),
    workspaces: {
      connection: async () => ({ apiKey: 'key-1', domains: [], source: 'connected' }),
    },
    linkClient: () => ({ readCapabilities: async () => SPECIFICATION, ...client }) as LinkService,
    logger,
    onRefusedKey: ({ workspaceId, apiKey, error }) =>
      refused.push([workspaceId, apiKey, error.status]),
  })
  return { linkService, lines, refused }
}

test('logs a failed call with the service’s request ID, and rethrows the error', async () => {
  const error = failedCall({
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
  failedCall({ status, ...(message && { message }) })

test.each([
  [401, undefined],
  [403, 'This API key does not allow shortlinks:create.'],
])('reports the key if a create is refused with %d', async (status, message) => {
  const { linkService, refused } = setUp({
    create: () => Promise.reject(withStatus(status, message)),
  })
  await expect(linkService.create(ACTOR, REQUEST, { idempotencyKey: 'k' })).rejects.toThrow(
    LinkServiceError,
  )
  expect(refused).toEqual([['T1', 'key-1', status]])
})

test.each([
  [403, 'You have used up the links of your plan.'],
  [404, undefined],
  [429, undefined],
  [500, undefined],
])('does not report the key after a %d that is not about it', async (status, message) => {
  const { linkService, refused } = setUp({
    create: () => Promise.reject(withStatus(status, message)),
    list: () => Promise.reject(withStatus(403, 'This key does not allow shortlinks:read.')),
  })
  await expect(linkService.create(ACTOR, REQUEST, { idempotencyKey: 'k' })).rejects.toThrow(
    LinkServiceError,
  )
  await expect(linkService.list({ id: 'T1' }, {})).rejects.toThrow(LinkServiceError)
  expect(refused).toEqual([])
})

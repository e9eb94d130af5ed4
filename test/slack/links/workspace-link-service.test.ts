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
  const error = failedCall({ status: 500, code: 'INTERNAL_ERROR', requestId: 'r-1' })
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

test.each([
  [401, undefined, true],
  [403, 'This API key does not allow shortlinks:create.', true],
  [403, 'You have used up the links of your plan.', false],
  [404, undefined, false],
  [429, undefined, false],
  [500, undefined, false],
])(
  'after a create is refused with %d (%s), reports the key: %s',
  async (status, message, reports) => {
    const error = failedCall({ status, message })
    const { linkService, refused } = setUp({ create: () => Promise.reject(error) })
    const create = linkService.create(ACTOR, REQUEST, { idempotencyKey: 'k' })
    await expect(create).rejects.toThrow(LinkServiceError)
    expect(refused).toEqual(reports ? [['T1', 'key-1', status]] : [])
  },
)

test('does not report a key that does not allow lists', async () => {
  const error = failedCall({ status: 403, message: 'This key does not allow shortlinks:read.' })
  const { linkService, refused } = setUp({ list: () => Promise.reject(error) })
  await expect(linkService.list({ id: 'T1' }, {})).rejects.toThrow(LinkServiceError)
  expect(refused).toEqual([])
})

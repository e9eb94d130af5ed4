import { afterAll, beforeEach } from 'vitest'
import { createLinkClient } from '../../src/drivers/backhalf/link-client.ts'
import { systemClock } from '../../src/timing/clock.ts'
import { createTransport } from '../../src/client/transport.ts'
import { LIST_PATH } from '../../src/contract/endpoints.ts'
import type { Shortlink } from '../../src/contract/shortlink.ts'
import {
  created,
  failure,
  startFakeLinkService,
  type Answer,
  type Responder,
} from './fake-link-service.ts'

export const API_KEY = 'bh_hunter2'

export const LINK = {
  name: 'sl_1',
  destination_url: 'https://example.com/long',
  shortlink_url: 'https://go.example.com/Ab3dE9x',
}

export const CREATED = created(LINK)

/** A conflict that does not show the existing link. */
export const DUPLICATE = failure(409, 'CONFLICT')

/** A client that all tests of a file share. It is reset before each test. */
export async function testClientForAll() {
  const testClient = await startTestClient()
  beforeEach(() => testClient.reset())
  afterAll(() => testClient.close())
  return testClient
}

/** A client of a fake link service. Its clock advances only while a call waits for a retry. */
export async function startTestClient({ headersTimeoutMs }: { headersTimeoutMs?: number } = {}) {
  const service = await startFakeLinkService(() => CREATED)
  const transport = createTransport(headersTimeoutMs === undefined ? {} : { headersTimeoutMs })
  const waits: number[] = []
  const start = Date.parse('2026-03-01T12:00:00Z')
  let now = start
  const client = createLinkClient({
    transport,
    baseUrl: `${service.baseUrl}/prefix/`,
    apiKey: API_KEY,
    clock: {
      now: () => now,
      random: () => 1,
      timeout: (ms) => systemClock.timeout(ms),
      sleep: async (ms) => {
        waits.push(ms)
        now += ms
      },
    },
  })
  return {
    service,
    client,
    /** Creates LINK with the idempotency key `key-1`. */
    create: (more: { back_half?: string; qr_code_enabled?: boolean } = {}): Promise<Shortlink> =>
      client.create(
        { destination_url: LINK.destination_url, domain: 'dom_1', ...more },
        { idempotencyKey: 'key-1' },
      ),
    /** The waits before retries, in milliseconds. */
    waits,
    /** Clears what was recorded. */
    reset(): void {
      service.answers(() => CREATED)
      service.received.length = waits.length = 0
      now = start
    },
    async close(): Promise<void> {
      await transport.close()
      await service.close()
    },
  }
}

/**
 * Returns the error of a call.
 *
 * @throws Error if the call succeeds
 */
export async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => {
      throw new Error('the call succeeded')
    },
    (error: unknown) => error,
  )
}

/** Responds to each create with the next of these. A list returns `listed`. */
export function inTurn(creates: (Answer | 'destroy')[], listed: unknown[] = []): Responder {
  return ({ url }) => {
    if (url.includes(LIST_PATH)) return { status: 200, body: { data: { shortlinks: listed } } }
    return creates.shift() ?? { status: 418, body: 'unexpected create' }
  }
}

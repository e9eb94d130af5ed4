import { createLinkClient, type LinkClient } from '../../src/client/link-client.ts'
import { createTransport } from '../../src/client/transport.ts'
import { LIST_PATH } from '../../src/contract/endpoints.ts'
import type { Shortlink } from '../../src/contract/shortlink.ts'
import {
  startForeignService,
  type Answer,
  type Answering,
  type ForeignService,
} from './fake-link-service.ts'

export const API_KEY = 'bh_hunter2'

export const LINK = {
  name: 'sl_1',
  destination_url: 'https://example.com/long',
  shortlink_url: 'https://go.example.com/Ab3dE9x',
}

export const CREATED: Answer = {
  status: 200,
  body: { data: { status: 'success', message: 'Created.', shortlink: LINK } },
}

/** A client of a service that does whatever a test needs, on a clock that only waiting moves. */
export interface ClientElsewhere {
  service: ForeignService
  client: LinkClient
  /** Creates LINK, as the wish `wish-1`. */
  create(more?: { back_half?: string; qr_code_enabled?: boolean }): Promise<Shortlink>
  /** How long was waited between tries, in milliseconds. */
  waits: number[]
  close(): Promise<void>
}

export async function startClientElsewhere(): Promise<ClientElsewhere> {
  const service = await startForeignService(() => CREATED)
  const transport = createTransport({ headersTimeoutMs: 300 })
  const waits: number[] = []
  let now = Date.parse('2026-03-01T12:00:00Z')
  const client = createLinkClient({
    transport,
    baseUrl: `${service.baseUrl}/prefix/`,
    apiKey: API_KEY,
    clock: {
      now: () => now,
      random: () => 1,
      sleep: async (ms) => {
        waits.push(ms)
        now += ms
      },
    },
  })
  return {
    service,
    client,
    create: (more = {}) =>
      client.create(
        { destination_url: LINK.destination_url, domain: 'dom_1', ...more },
        { idempotencyKey: 'wish-1' },
      ),
    waits,
    async close() {
      await transport.close()
      await service.close()
    },
  }
}

/** What a call throws. @throws when it succeeds */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => {
      throw new Error('the call succeeded')
    },
    (error: unknown) => error,
  )
}

/** Answers the creates one after the other; lists show these links. */
export function answersInTurn(creates: (Answer | 'destroy')[], listed: unknown[] = []): Answering {
  return ({ url }) => {
    if (url.includes(LIST_PATH)) return { status: 200, body: { data: { shortlinks: listed } } }
    return creates.shift() ?? { status: 418, body: 'one create too many' }
  }
}

/** An error envelope (spec §7) with these members. */
export function refusal(
  status: number,
  error: Record<string, unknown>,
  headers: Record<string, string> = {},
): Answer {
  return { status, headers, body: { error: { status_code: status, ...error } } }
}

/** A conflict that doesn’t say which link there is. */
export const DUPLICATE = refusal(409, { message: 'Conflict.', code: 'CONFLICT' })

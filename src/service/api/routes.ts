import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { CREATE_PATH, IDEMPOTENCY_KEY_HEADER, LIST_PATH } from '../../contract/endpoints.ts'
import type { Database } from '../../database/database.ts'
import type { Addresses } from '../addresses.ts'
import type { Blocklist } from '../blocklist.ts'
import { authenticate, requireScope, type Caller } from '../caller.ts'
import { parseCreateWish } from '../create-wish.ts'
import { createFieldFaults } from '../field-faults.ts'
import { formHash, readForm } from './form.ts'
import type { Links } from '../links.ts'
import { parseListQuery } from '../list-rules.ts'
import { ServiceError } from '../service-error.ts'
import type { Usage } from '../store/usage.ts'

/** Under which name a request carries who calls. */
const CALLER = 'caller'

/** Printable ASCII, as header values are. */
const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/

/** Requests a minute with one key, unless the key says otherwise. Each process counts its own. */
const REQUESTS_PER_MINUTE = 600

/** The interface of spec §4: create and list. */
export function apiRoutes({
  database: { db },
  addresses,
  links,
  usage,
  blocklist,
  now,
}: {
  database: Database
  addresses: Addresses
  links: Links
  usage: Usage
  blocklist: Blocklist
  /** Milliseconds since 1970. */
  now: () => number
}): FastifyPluginAsync {
  return async (scope) => {
    scope.removeAllContentTypeParsers()
    await scope.register(multipart, { throwFileSizeLimit: false })
    // Other kinds are let through unread: a missing key is to be told before a wrong body.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))

    // Neither addresses of people nor headers: what went wrong, and how long it took.
    scope.addHook('onResponse', async (request, reply) => {
      request.log.info(
        { method: request.method, path: request.routeOptions.url, status: reply.statusCode },
        `answered in ${Math.round(reply.elapsedTime)} ms`,
      )
    })

    // A valid key first, then how often it is used, then what it may do.
    scope.decorateRequest(CALLER)
    scope.addHook('onRequest', async (request) => {
      const caller = await authenticate(db, request.headers, now())
      request.setDecorator(CALLER, caller)
      usage.apiKeyUsed(caller.apiKeyId)
    })
    await scope.register(rateLimit, {
      hook: 'onRequest',
      timeWindow: '1 minute',
      enableDraftSpec: true,
      keyGenerator: (request) => callerOf(request).apiKeyId,
      max: (request) => callerOf(request).requestsPerMinute ?? REQUESTS_PER_MINUTE,
      errorResponseBuilder: (_request, { max, after }) =>
        new ServiceError(
          'RATE_LIMIT_EXCEEDED',
          `This API key may be used ${max} times a minute. Try again in ${after}.`,
        ),
    })

    scope.post(CREATE_PATH, async (request, reply) => {
      const caller = callerOf(request)
      requireScope(caller, 'shortlinks:create')
      const form = await readForm(request)
      const wish = await parseCreateWish({ db, addresses, blocklist }, caller, form)
      const key = idempotencyKey(request)
      const { apiKeyId } = caller
      const answer = await links.create(
        wish,
        key === undefined ? undefined : { apiKeyId, key, requestHash: formHash(form) },
      )
      return reply.type('application/json').send(answer)
    })

    scope.get(LIST_PATH, async (request) => {
      const caller = callerOf(request)
      requireScope(caller, 'shortlinks:read')
      return links.list(caller, parseListQuery(request.query))
    })
  }
}

function callerOf(request: FastifyRequest): Caller {
  return request.getDecorator<Caller>(CALLER)
}

function idempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers[IDEMPOTENCY_KEY_HEADER]
  if (key === undefined || (typeof key === 'string' && IDEMPOTENCY_KEY.test(key))) return key
  const faults = createFieldFaults()
  faults.add('Idempotency-Key', 'Use 1 to 255 printable ASCII characters.')
  faults.throwIfAny()
  return undefined
}

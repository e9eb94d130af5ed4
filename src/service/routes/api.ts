import multipart from '@fastify/multipart'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { CREATE_PATH, IDEMPOTENCY_KEY_HEADER, LIST_PATH } from '../../contract/endpoints.ts'
import type { Database } from '../../database/database.ts'
import type { Addresses } from '../addresses.ts'
import { authenticate } from '../caller.ts'
import { parseCreateWish } from '../create-wish.ts'
import { createFieldFaults } from '../field-faults.ts'
import { formHash, readForm } from '../form.ts'
import type { Links } from '../links.ts'
import { parseListQuery } from '../list-rules.ts'

/** Printable ASCII, as header values are. */
const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/

/** The interface of spec §4: create and list. */
export function apiRoutes({
  database: { db },
  addresses,
  links,
}: {
  database: Database
  addresses: Addresses
  links: Links
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

    scope.post(CREATE_PATH, async (request, reply) => {
      const caller = await authenticate(db, request.headers, 'shortlinks:create')
      const form = await readForm(request)
      const wish = await parseCreateWish({ db, addresses }, caller, form)
      const key = idempotencyKey(request)
      const { apiKeyId } = caller
      const answer = await links.create(
        wish,
        key === undefined ? undefined : { apiKeyId, key, requestHash: formHash(form) },
      )
      return reply.type('application/json').send(answer)
    })

    scope.get(LIST_PATH, async (request) => {
      const caller = await authenticate(db, request.headers, 'shortlinks:read')
      return links.list(caller, parseListQuery(request.query))
    })
  }
}

function idempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers[IDEMPOTENCY_KEY_HEADER]
  if (key === undefined || (typeof key === 'string' && IDEMPOTENCY_KEY.test(key))) return key
  const faults = createFieldFaults()
  faults.add('Idempotency-Key', 'Use 1 to 255 printable ASCII characters.')
  faults.throwIfAny()
  return undefined
}

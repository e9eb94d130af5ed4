import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { API_KEY_HEADER, CREATED_BY_HEADER } from '../../contract/endpoints.ts'
import { parsePerson } from '../../contract/person.ts'
import type { Db } from '../../database/schema.ts'
import { hashApiKey, isApiKey } from '../store/api-key.ts'
import { findApiKey } from '../store/api-keys.ts'
import type { LinkContext } from '../store/context.ts'
import type { Creator } from '../store/links.ts'
import { toAccess, type Access } from '../store/scopes.ts'
import { fieldError, ServiceError } from './errors.ts'
import type { OwnerTurns } from './owner-turns.ts'

export interface Caller extends Access {
  maxLinks: number | null
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

export interface ApiContext extends LinkContext {
  inTurn: OwnerTurns
  logger: FastifyBaseLogger
}

export type ApiRequest = FastifyRequest<{ Params: { name: string } }>

/** Handles a request to a route of the API. @returns the body of the response */
export type Handler = (
  context: ApiContext,
  request: ApiRequest,
  reply: FastifyReply,
) => Promise<unknown>

/** @throws ServiceError AUTHENTICATION_REQUIRED, the same for a missing, unknown, revoked or expired key (spec §5) */
export async function authenticate(db: Db, request: FastifyRequest, now: number): Promise<Caller> {
  const key = request.headers[API_KEY_HEADER]
  const isWellFormed = typeof key === 'string' && isApiKey(key)
  const row = isWellFormed && (await findApiKey(db, hashApiKey(key), now))
  if (row) return { ...toAccess(row), maxLinks: row.max_links }
  throw new ServiceError('AUTHENTICATION_REQUIRED', 'Send a valid API key in the X-API-Key header.')
}

export function readCreator({ caller, headers }: FastifyRequest): Creator {
  const header = headers[CREATED_BY_HEADER]
  const { id, name } = (typeof header === 'string' && parsePerson(header)) || {}
  if (header === undefined || id !== undefined) {
    return { made_by: caller.apiKeyId, person_id: id ?? null, person_name: name ?? null }
  }
  throw fieldError(
    'X-Created-By',
    'Send an ID and a name, percent-encoded, separated by a space, in at most 200 bytes.',
  )
}

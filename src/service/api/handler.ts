import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { CREATED_BY_HEADER } from '../../contract/endpoints.ts'
import { parsePerson } from '../../contract/person.ts'
import type { LinkContext } from '../store/context.ts'
import type { Creator } from '../store/links.ts'
import type { Access } from '../store/scopes.ts'
import { fieldError } from './errors.ts'
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

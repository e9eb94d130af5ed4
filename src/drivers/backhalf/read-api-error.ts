import { z } from 'zod'
import { updateRequest } from '../../contract/link-requests.ts'
import { listQuery } from '../../contract/list-query.ts'
import { joinMessages, type Failure } from '../../port/failures.ts'
import type { ErrorDetails } from '../../client/requests.ts'
import { isObject } from '../../values/unknown-values.ts'
import { receivedListedLink, receivedTime } from '../../port/links.ts'

const receivedEnvelope = z.object({
  error: z.object({
    message: z.string().trim().min(1).optional().catch(undefined),
    code: z.string().max(100).optional().catch(undefined),
    details: z.record(z.string(), z.unknown()).optional().catch(undefined),
  }),
})

/** What a request is about, as far as that decides what an error response means. */
export interface About {
  /**
   * The request is about a single link. A 412 means that the link has changed. A 404 or 410 means that the link is
   * gone, if the body has the error envelope. Without the envelope, the response comes from a proxy.
   */
  isAboutLink?: boolean
  /** The request is about a person, so a 404 means that the person is unknown, not that the service lacks the call. */
  isAboutPerson?: boolean
  /**
   * The request can conflict with another link by its destination, and if `backHalf` is true, also by its back-half.
   * Spec §4.1 describes these conflicts, but gives them no codes.
   */
  mayConflict?: { backHalf: boolean }
}

type Details = Record<string, unknown>

export function readApiError(json: unknown, status: number, about: About): ErrorDetails {
  const error = receivedEnvelope.safeParse(json).data?.error
  const { message, code = '' } = error ?? {}
  const failure = readFailure(error, status, about)
  // Our own texts for these codes say the same as the service's message, and also the next step.
  const isClear = CONFLICT_CODES.has(code) && failure?.kind !== 'conflict'
  return { failure, message, code: error?.code, isClear }
}

function readFailure(
  error: z.infer<typeof receivedEnvelope>['error'] | undefined,
  status: number,
  { isAboutLink, isAboutPerson, mayConflict }: About,
): Failure | undefined {
  const { message = '', code = '', details = {} } = error ?? {}
  if (isAboutLink && error && (status === 404 || status === 410)) {
    return { kind: 'gone', deletedAt: readDeletedAt(details) }
  }
  if (isAboutLink && status === 412) return { kind: 'changed' }
  if (isAboutPerson && status === 404) return { kind: 'refused' }
  if (mayConflict && status === 409) return readConflict(code, details, mayConflict)
  if (status === 403) return { kind: refusalKind(`${code} ${message}`) }
  const isInvalid = status === 400 || status === 422
  return isInvalid ? { kind: 'invalid', fields: fieldMessages(details) } : undefined
}

const CONFLICT_CODES = new Set(['BACK_HALF_CONFLICT', 'DUPLICATE_DESTINATION_URL'])

/** Decides what a 409 means. Without a back-half, it can only be a duplicate. Otherwise, its code or fields decide. */
function readConflict(
  code: string,
  details: Details,
  { backHalf }: { backHalf: boolean },
): Failure {
  const fields = fieldMessages(details)
  const isBackHalf = /back_?half/i.test(code) || 'back_half' in fields
  const isDuplicate = /destination/i.test(code) || 'destination_url' in fields
  if (backHalf && isBackHalf === isDuplicate) return { kind: 'conflict' }
  if (backHalf && isBackHalf) return { kind: 'back_half_taken', deletedAt: readDeletedAt(details) }
  return { kind: 'duplicate', link: receivedListedLink.safeParse(details['shortlink']).data }
}

const readDeletedAt = (details: Details) => receivedTime.safeParse(details['deleted_at']).data

/** Guesses from an error's words what a 403 means (spec §4.1). If a limit is reached, another key doesn't help. */
function refusalKind(words: string): 'not_permitted' | 'quota' | 'forbidden' {
  if (/limit|quota|exceed|plan\b|upgrade|used up/i.test(words)) return 'quota'
  return /permission|scope|allow|read.?only/i.test(words) ? 'not_permitted' : 'forbidden'
}

const KNOWN_FIELDS = new Set([...Object.keys(updateRequest.shape), ...Object.keys(listQuery.shape)])

const MAX_FIELDS = 20
const MAX_MESSAGES = 10
const MAX_NAME_LENGTH = 100
const MAX_FIELD_MESSAGE_LENGTH = 300

/**
 * Extracts messages about single fields from an error's `details`. The specification leaves their shape open
 * (spec §7), so the common shapes are read: `{title: "…"}`, `{fields: {title: "…"}}` (or `errors`), a list of
 * messages in the place of one message, and `{errors: [{field: "title", message: "…"}]}`.
 */
export function fieldMessages(details: Details): Record<string, string> {
  const topLevel = Object.entries(details).filter(([name]) => KNOWN_FIELDS.has(name))
  const nested = [details['fields'], details['errors']].flatMap(fieldEntries)
  const messages = [...topLevel, ...nested].flatMap(([name, value]) => {
    const message = readMessage(value)
    const isNamed = name !== '' && name.length <= MAX_NAME_LENGTH
    return isNamed && message ? [[name, message.slice(0, MAX_FIELD_MESSAGE_LENGTH)] as const] : []
  })
  return Object.fromEntries(messages.slice(0, MAX_FIELDS))
}

function fieldEntries(value: unknown): [name: string, value: unknown][] {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown): [string, unknown][] =>
      isObject(item) && typeof item['field'] === 'string' ? [[item['field'], item]] : [],
    )
  }
  return isObject(value) ? Object.entries(value) : []
}

function readMessage(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) {
    return joinMessages(value.slice(0, MAX_MESSAGES).filter((item) => typeof item === 'string'))
  }
  return isObject(value) && typeof value['message'] === 'string' ? value['message'].trim() : ''
}

import { listQuery } from '../contract/list-query.ts'
import { updateRequest } from '../contract/link-requests.ts'

/** The fields of the API. If `details` itself is keyed by field, only these names count. */
const KNOWN_FIELDS = new Set([
  ...Object.keys(updateRequest.shape),
  ...Object.keys(listQuery.shape),
  'q',
])

const MAX_FIELDS = 20
const MAX_MESSAGES = 10
const MAX_NAME_LENGTH = 100
const MAX_MESSAGE_LENGTH = 300

/**
 * Extracts messages about single fields from an error's `details`. The specification leaves their
 * shape open (spec §7), so the common shapes are read: `{title: "…"}`, `{fields: {title: "…"}}` (or
 * `errors`), a list of messages instead of one, and `{errors: [{field: "title", message: "…"}]}`.
 */
export function fieldMessages(details: Record<string, unknown>): Record<string, string> {
  const topLevel = Object.entries(details).filter(([name]) => KNOWN_FIELDS.has(name))
  const nested = [details['fields'], details['errors']].flatMap(entriesOf)
  const messages = [...topLevel, ...nested].flatMap(([name, value]) => {
    const message = messageOf(value)
    const isNamed = name !== '' && name.length <= MAX_NAME_LENGTH
    return isNamed && message ? [[name, message.slice(0, MAX_MESSAGE_LENGTH)] as const] : []
  })
  return Object.fromEntries(messages.slice(0, MAX_FIELDS))
}

function entriesOf(value: unknown): [name: string, value: unknown][] {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown): [string, unknown][] =>
      isRecord(item) && typeof item['field'] === 'string' ? [[item['field'], item]] : [],
    )
  }
  return isRecord(value) ? Object.entries(value) : []
}

function messageOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) {
    return joinMessages(value.slice(0, MAX_MESSAGES).filter((item) => typeof item === 'string'))
  }
  return isRecord(value) && typeof value['message'] === 'string' ? value['message'].trim() : ''
}

/** Joins messages so that each remains recognizable: not every service writes sentences. */
export function joinMessages(messages: readonly string[]): string {
  return messages
    .map((message) => message.trim())
    .filter(Boolean)
    .reduce((all, next) => (all ? `${all}${/[.!?…]$/.test(all) ? '' : ';'} ${next}` : next), '')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

import { parseArgs, type ParseArgsConfig } from 'node:util'
import { isOneLine, ONE_LINE_LENGTH } from '../one-line.ts'
import { AdminError } from './admin-error.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/**
 * A command's arguments.
 *
 * @param positional what the one argument without a name is, for the error's words; none if absent
 * @throws AdminError for arguments that the command does not have, or lacks
 */
export function parseCommand<const O extends Options>(
  args: string[],
  options: O,
  positional?: string,
) {
  const { values, positionals } = parse(args, options)
  const [first, ...more] = positionals
  if (positional !== undefined && !first) throw new AdminError(`Say which: ${positional}.`)
  const surplus = positional === undefined ? first : more[0]
  if (surplus !== undefined) throw new AdminError(`There is one argument too many: ${surplus}`)
  return { values, positional: first ?? '' }
}

/** A name: one line, not too long. */
export function parseText(text: string, what: string): string {
  const trimmed = text.trim()
  if (!trimmed || !isOneLine(trimmed)) {
    throw new AdminError(`The ${what} must be one line of 1 to ${ONE_LINE_LENGTH} characters.`)
  }
  return trimmed
}

const DAY_MS = 86_400_000

/**
 * A time to come: a number of days, as `90d`, or a date or time as ISO 8601 has it, in UTC where
 * it does not say.
 *
 * @param now milliseconds since 1970
 * @returns milliseconds since 1970
 */
export function parseTime(text: string, now: number): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  const isIso = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?$/.test(text)
  const isUtc = !text.includes('T') || /(?:Z|[+-]\d\d:\d\d)$/.test(text)
  const time = days
    ? now + Number(days) * DAY_MS
    : isIso
      ? Date.parse(isUtc ? text : `${text}Z`)
      : NaN
  if (time > now) return time
  throw new AdminError(`“${text}” is no time to come. Write it like 90d or 2027-12-31.`)
}

/** A whole number. */
export function parseCount(text: string, what: string, min: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : NaN
  if (count >= min) return count
  throw new AdminError(`${what} must be a whole number from ${min} to 999999999.`)
}

function parse<const O extends Options>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new AdminError(`${reason}\nSee: npm run admin -- help`, { cause: error })
  }
}

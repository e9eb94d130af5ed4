import { parseArgs, type ParseArgsConfig } from 'node:util'
import { AdminError } from './admin-error.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/** Longest name or description in characters. */
const MAX_LENGTH = 200

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

/** A name or description: one line, not too long. */
export function parseText(text: string, what: string): string {
  const trimmed = text.trim()
  if (!trimmed || trimmed.length > MAX_LENGTH || /\p{Cc}/u.test(trimmed)) {
    throw new AdminError(`The ${what} must be one line of 1 to ${MAX_LENGTH} characters.`)
  }
  return trimmed
}

function parse<const O extends Options>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new AdminError(`${reason}\nSee: npm run admin -- help`, { cause: error })
  }
}

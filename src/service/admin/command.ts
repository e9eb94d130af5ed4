import { parseArgs } from 'node:util'
import type { Db } from '../../database/schema.ts'
import { DAY_MS } from '../../timing/days.ts'
import type { ServiceContext } from '../store/context.ts'
import { isOneLine, MAX_LINE_LENGTH } from '../store/key-rules.ts'

/** @param path the SQLite file from which the data was copied. The file with the encryption keys might be next to it */
export type CheckEncrypted = (
  db: Db,
  path: string,
) => Promise<{ encrypted: number; unreadable: number; advice: string }>

export interface CommandContext {
  databaseUrl: string
  now: () => number
  out: (text: string) => unknown
  err: (text: string) => unknown
  lines: () => AsyncIterable<string>
  checkEncrypted?: CheckEncrypted | undefined
}

type AdminContext = ServiceContext & CommandContext

export interface Command<Context = AdminContext> {
  /** The names of the positional arguments, such as `FROM [TO]`. An argument in brackets is optional. */
  args?: string
  help?: string
  options?: Options
  run(input: Input<never>, context: Context): Promise<Report>
}

type Options = Record<string, { value: string; help?: string; multiple?: boolean }>

interface Input<O extends Options> {
  args: string[]
  options: { [Name in keyof O]?: O[Name] extends { multiple: true } ? string[] : string }
}

export function withOptions<const O extends Options>(
  command: Omit<Command, 'options' | 'run'> & {
    options: O
    run(input: Input<O>, context: AdminContext): Promise<Report>
  },
): Command {
  return command
}

export class AdminError extends Error {
  override readonly name = 'AdminError'
}

type Row = Record<string, string | number | null | readonly string[]>

export interface Report {
  data: Row | Row[]
  message?: string
  /** Set if the command itself has written to standard output. The report is then printed on standard error. */
  printsOnStderr?: boolean
}

/**
 * Parses the words after a command's name.
 * @throws AdminError if an argument or option is missing or unknown. Its message contains no URL, because a URL can
 * contain a password
 */
export function parseInput(
  { args = '', options = {} }: Pick<Command<never>, 'args' | 'options'>,
  words: string[],
): Input<never> {
  const argNames = args.split(' ').filter(Boolean)
  const { values, positionals } = parse(words, argNames, options)
  const missing = argNames.find((name, index) => !name.startsWith('[') && !positionals[index])
  if (missing !== undefined) throw new AdminError(`Missing argument: ${missing}.`)
  const surplus = positionals[argNames.length]
  if (surplus !== undefined) {
    throw new AdminError(`Unexpected argument${surplus.includes('://') ? '.' : `: ${surplus}`}`)
  }
  return { args: positionals, options: values } as Input<never>
}

function parse(words: string[], argNames: string[], options: Options) {
  const types = Object.entries(options).map(
    ([name, { multiple = false }]) => [name, { type: 'string' as const, multiple }] as const,
  )
  const config = { args: words, options: Object.fromEntries(types), allowPositionals: true }
  try {
    return parseArgs(config)
  } catch (cause) {
    // Node.js says which option is unknown or has no value.
    const { message } = cause as Error
    const usages = Object.entries(options).map(([name, { value }]) => `--${name} ${value}`)
    const accepted = [...argNames, ...usages].join(', ') || 'no arguments and no options'
    const help = `The command takes ${accepted}.\nSee: npm run admin -- help`
    throw new AdminError(`${message}\n${help}`, { cause })
  }
}

const HELP_COLUMN = 30

export function formatHelp(
  commands: Record<string, Pick<Command<never>, 'args' | 'help' | 'options'>>,
): string {
  const lines: string[] = []
  let lastGroup = ''
  for (const [name, { args, help, options = {} }] of Object.entries(commands)) {
    const [firstWord = '', secondWord] = name.split(' ')
    const group = secondWord === undefined ? '' : firstWord
    if (group !== lastGroup) lines.push('')
    lastGroup = group
    lines.push(helpLine(`  ${[name, args].filter(Boolean).join(' ')}`, help))
    for (const [option, { value, help: optionHelp }] of Object.entries(options)) {
      lines.push(helpLine(`    --${option} ${value}`, optionHelp))
    }
  }
  return lines.join('\n')
}

function helpLine(usage: string, help = ''): string {
  const lines = help.split('\n').join(`\n${' '.repeat(HELP_COLUMN)}`)
  return `${usage.padEnd(HELP_COLUMN - 1)} ${lines}`.trimEnd()
}

export function formatReport({ data, message }: Report): string {
  const lines = Array.isArray(data) ? tableLines(data) : Object.entries(data)
  const texts = lines.map((line) => line.map(formatCell))
  const widths = texts[0]?.map((_, column) =>
    Math.max(...texts.map((line) => (line[column] ?? '').length)),
  )
  const aligned = texts.map((line) => {
    const padded = line.map((text, column) => text.padEnd(widths?.[column] ?? 0))
    return padded.join('  ').trimEnd()
  })
  return [...(message ? [message, ''] : []), ...aligned, ''].join('\n')
}

function tableLines(rows: Row[]): Row[string][][] {
  const [first] = rows
  if (!first) return [['None.']]
  const names = Object.keys(first)
  return [names, ...rows.map((row) => names.map((name) => row[name] ?? null))]
}

function formatCell(value: Row[string]): string {
  if (value === null) return '-'
  // Names can contain control characters, which could move the terminal's cursor.
  const text = typeof value === 'object' ? value.join(', ') : String(value)
  return text.replaceAll(/\p{Cc}/gu, ' ')
}

export function requireConfirmed(confirmation: string | undefined, name: string, erased: string) {
  if (confirmation?.trim() === name) return
  const quoted = `'${name.replaceAll("'", String.raw`'\''`)}'`
  throw new AdminError(
    `This erases ${erased}, and can’t be undone. To confirm, add its name: --confirm ${quoted}`,
  )
}

export function parseName(text: string): string {
  const name = text.trim()
  if (name && isOneLine(name)) return name
  throw new AdminError(`The name must be one line of 1 to ${MAX_LINE_LENGTH} characters.`)
}

/** Parses a time in the future: days like `90d`, or an ISO 8601 date or time. Without an offset, it is in UTC. */
export function parseTime(text: string, now: number): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  const time = days === undefined ? parseIsoTime(text) : now + Number(days) * DAY_MS
  if (time > now) return time
  throw new AdminError(`“${text}” is not a time in the future. Write it like 90d or 2027-12-31.`)
}

function parseIsoTime(text: string): number {
  const match = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(?::\d\d)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text)
  if (!match) return NaN
  const [, time, offset] = match
  // Without a Z, Date.parse would read a time in the server's time zone.
  return Date.parse(time !== undefined && offset === undefined ? `${text}Z` : text)
}

export function parseCount(text: string, name: string, min: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : NaN
  if (count >= min) return count
  throw new AdminError(`${name} must be a whole number from ${min} to 999999999.`)
}

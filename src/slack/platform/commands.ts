import type { Caller } from './caller.ts'
import { cutValue, SlackInputError } from './field-errors.ts'

export const SUBCOMMANDS = [
  'help',
  'list',
  'clicks',
  'report',
  'alerts',
  'import',
  'edit',
  'delete',
  'dashboard',
  'connect',
  'settings',
  'disconnect',
] as const

export interface Command {
  /** A subcommand; `form` without a text; `shorten` if the text begins with a link; `unknown` for other text. */
  name: (typeof SUBCOMMANDS)[number] | 'form' | 'shorten' | 'unknown'
  text: string
}

/** Parses what a user types after `/shorten`: `list spring sale` is the command `list` with the text `spring sale`. */
export function parseCommand(text: string): Command {
  const trimmed = text.trim()
  const first = /^\S*/.exec(trimmed)?.[0] ?? ''
  if (first === '') return { name: 'form', text: '' }
  const word = SUBCOMMANDS.find((name) => name === first.toLowerCase())
  if (word) return { name: word, text: trimmed.slice(first.length).trim() }
  const looksLikeLink = /[.:=<]|^localhost\b/i.test(first)
  return looksLikeLink ? { name: 'shorten', text: trimmed } : { name: 'unknown', text: first }
}

/** Finds `list` for `lsit`: corrects a letter too many, too few or wrong, or two letters swapped, and ignores case. */
export function closestWord(typed: string, words: readonly string[]): string | undefined {
  const word = typed.toLowerCase()
  return words.find((name) => isOneEditAway(word, name.toLowerCase()))
}

function isOneEditAway(a: string, b: string): boolean {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a]
  let index = 0
  while (index < shorter.length && shorter[index] === longer[index]) index++
  const rest = (text: string, skipped: number): string => text.slice(index + skipped)
  if (longer.length > shorter.length) return rest(longer, 1) === rest(shorter, 0)
  const isSwapped = a[index] === b[index + 1] && a[index + 1] === b[index]
  return rest(a, 1) === rest(b, 1) || (isSwapped && rest(a, 2) === rest(b, 2))
}

/** The double quotes that keyboards and macOS type. Single quotes don't count, because they are often apostrophes. */
const QUOTES = '"“”„‟«»'

/** Matches `name="…"` or `"…"`, with the name, the text and the closing quote as groups; a Slack link; or a word. */
const WORD = new RegExp(
  // eslint-disable-next-line regexp/no-super-linear-move -- `\S+` matches what looks like an option.
  `([a-z_]+[=:])?[${QUOTES}]([^${QUOTES}]*)([${QUOTES}]?)|<[a-z]+:[^<>]*>|\\S+`,
  'gi',
)

/**
 * Splits text at white space, but not inside double quotes, as in `title="Spring sale"`, or inside Slack's
 * `<https://…|label>`. A quote counts only at the start of a word or of an option's value, and not inside a URL.
 */
export function splitWords(text: string): { word: string; isQuoted: boolean }[] {
  return [...text.matchAll(WORD)].map(([word, name = '', quoted, closingQuote]) => {
    if (quoted === undefined) return { word, isQuoted: false }
    if (closingQuote) return { word: name + quoted, isQuoted: name === '' }
    throw new SlackInputError(`A quote is never closed. Add one at the end of: ${cutValue(word)}`)
  })
}

const MEMBERS_PER_PAGE = 1_000
const MAX_REQUESTS = 5

/**
 * Replaces `@Ana García` in a command with `<@U0ANA>`. If several names match, the longest one wins. Slack could do
 * this itself, but would then rewrite the URLs in commands, too.
 */
export async function withMention({ client }: Pick<Caller, 'client'>, text: string) {
  const [before = '', afterAt] = text.split(/(?<=^|\s)@(?=\S)(.*)/su)
  const isQuoted = before.replaceAll(/[^"“”]/g, '').length % 2 === 1
  if (afterAt === undefined || isQuoted) return text
  const lower = `${afterAt.toLowerCase()} `
  let best = { length: 0, id: '' }
  let cursor: string | undefined
  for (let requests = 0; requests < MAX_REQUESTS; requests++) {
    const page = await client.users.list({ limit: MEMBERS_PER_PAGE, ...(cursor && { cursor }) })
    for (const { id = '', name, real_name, profile } of page.members ?? []) {
      for (const memberName of [name, profile?.display_name, real_name]) {
        const { length = 0 } = memberName ?? {}
        const isTyped = lower.startsWith(`${memberName?.toLowerCase().trim()} `)
        if (isTyped && length > best.length) best = { length, id }
      }
    }
    cursor = page.response_metadata?.next_cursor
    if (!cursor) break
  }
  if (best.id) return `${before}<@${best.id}>${afterAt.slice(best.length)}`
  const [name = ''] = afterAt.split(/\s/)
  throw new SlackInputError(
    `Backhalf found no member called “@${cutValue(name)}”. Choose one from Slack’s suggestions. To search for such a word, put it in quotes.`,
  )
}

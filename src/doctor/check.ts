import { systemClock, within } from '../timing/clock.ts'
import { inParallel } from '../timing/in-parallel.ts'
import { errorCode } from '../values/unknown-values.ts'

/** The result of a check. If it has no name of its own, the report shows the name of the check. */
export interface Result {
  name?: string
  /** `unchecked`: the check had no result, for example without a network. What it checks might be fine. */
  status: 'ok' | 'warning' | 'failed' | 'unchecked' | 'skipped'
  message: string
  fix?: string | undefined
}

export interface Finding extends Result {
  name: string
}

export const SYMBOLS = { ok: '✓', warning: '!', failed: '✗', unchecked: '?', skipped: '–' } as const
export const COLORS = {
  ok: 'green',
  warning: 'yellow',
  failed: 'red',
  unchecked: 'yellow',
  skipped: 'gray',
} as const

const CHECK_MS = 10_000

/** The time limit of a step, such as a request. A check has up to two steps. */
export const STEP_MS = CHECK_MS / 2 - 500

export function ok(message: string): Result {
  return { status: 'ok', message }
}

export function warning(message: string, fix: string): Result {
  return { status: 'warning', message, fix }
}

export function failed(message: string, fix: string): Result {
  return { status: 'failed', message, fix }
}

export function unchecked(reason: string, fix: string): Result {
  return { status: 'unchecked', message: `Not checked. ${reason}`, fix }
}

export function skipped(message: string, fix?: string): Result {
  return { status: 'skipped', message, fix }
}

export function named(name: string, ...results: readonly Result[]): Finding[] {
  return results.map((result) => ({ name, ...result }))
}

const MAX_WORKSPACES = 20
const MAX_PARALLEL = 4

/**
 * Checks each workspace. Only problems get lines of their own.
 * @param message how the summary starts, such as `Slack accepts the tokens`
 * @param check returns several results, the first of which says whether the workspace is fine
 */
export async function checkWorkspaces<T>(
  message: string,
  workspaces: readonly T[],
  check: (workspace: T) => Promise<Result[]>,
): Promise<Result[]> {
  const tried = workspaces.slice(0, MAX_WORKSPACES)
  const checks = await inParallel(tried, MAX_PARALLEL, check)
  const working = checks.filter(([first]) => first?.status === 'ok').length
  const untried = workspaces.length - tried.length
  const rest = untried > 0 ? ` ${untried} more were not tried.` : ''
  const sentence = `${message} of ${working} of ${tried.length} workspaces.${rest}`
  const problems = checks.flat().filter(({ status }) => status !== 'ok')
  return [summary(sentence, working === tried.length), ...problems]
}

export function summary(message: string, isFine: boolean): Result {
  return isFine ? ok(message) : warning(message, 'See the lines below.')
}

/**
 * Runs a check with a time limit. Timeouts and unexpected errors become findings, so it never rejects. On a timeout,
 * the signal aborts.
 */
export async function runCheck(
  name: string,
  check: (signal: AbortSignal) => Promise<Result[]>,
  withinMs = CHECK_MS,
): Promise<Finding[]> {
  const ended = new AbortController()
  const checking = check(ended.signal).catch((error: unknown) => [unexpectedError(error)])
  const done = await within(systemClock, withinMs, checking)
  ended.abort()
  const timedOut = unchecked(
    `There was no response within ${withinMs / 1_000} seconds.`,
    'Check again. If it keeps happening, look at this machine’s network and load.',
  )
  return named(name, ...(done?.value ?? [timedOut]))
}

/** An error's message might contain a secret, so only its code or name is shown. */
function unexpectedError(error: unknown): Result {
  return unchecked(
    `An unexpected error occurred (${rootErrorCode(error)}).`,
    'Check again. If it keeps happening, report it as a bug in Backhalf.',
  )
}

/** Returns the first code among an error and its causes. Without one, it returns the error's name. */
export function rootErrorCode(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = errorCode(at instanceof AggregateError ? at.errors[0] : at)
    if (code !== undefined) return code
  }
  return error instanceof Error ? error.name : 'unknown error'
}

/** Shows the kind of a Slack token, and the last four characters of a long secret: `xoxb-…a1b2`. */
export function masked(secret: string): string {
  const [kind = ''] = /^(?:xoxe\.)?xox[a-z]-|^xapp-|^bh_/.exec(secret) ?? []
  return `${kind}…${secret.length - kind.length >= 16 ? secret.slice(-4) : ''}`
}

/** Masks secrets in a text. This is a second line of defense, because messages should contain none. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, masked(secret)), text)
}

/** Removes control characters, because other programs supply parts of the text. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
}

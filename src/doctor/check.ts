import { systemClock, within } from '../timing/clock.ts'
import { inParallel } from '../timing/in-parallel.ts'
import { errorCode } from '../values/unknown-values.ts'

/** `unchecked`: the check failed to run, for example without a network. `skipped`: it doesn't apply, or not yet. */
export const MARKS = {
  ok: { color: 'green', symbol: '✓' },
  warning: { color: 'yellow', symbol: '!' },
  failed: { color: 'red', symbol: '✗' },
  unchecked: { color: 'yellow', symbol: '?' },
  skipped: { color: 'gray', symbol: '–' },
} as const

export interface Result {
  name?: string
  status: keyof typeof MARKS
  message: string
  fix?: string | undefined
}

export interface Finding extends Result {
  name: string
}

const CHECK_MS = 10_000

/** The time limit of one request, so that a check can make two of them, one after the other. */
export const STEP_MS = CHECK_MS / 2 - 500

export const ok = (message: string): Result => ({ status: 'ok', message })
export const warning = resultWithFix('warning')
export const failed = resultWithFix('failed')

function resultWithFix(status: Result['status']) {
  return (message: string, fix: string): Result => ({ status, message, fix })
}

export function skipped(message: string, fix?: string): Result {
  return { status: 'skipped', message, fix }
}

export function unchecked(reason: string, fix: string): Result {
  return { status: 'unchecked', message: `Not checked. ${reason}`, fix }
}

export function named(name: string, ...results: readonly Result[]): Finding[] {
  return results.map((result) => ({ name, ...result })) // A result's own name takes precedence.
}

const MAX_WORKSPACES = 20
const MAX_PARALLEL = 4

/**
 * Returns a summary, such as “Slack accepts the tokens of 2 of 3 workspaces.”, and all problems.
 * @param check returns at least one result. If the first is `ok`, the summary counts the workspace.
 */
export async function checkWorkspaces<T>(
  message: string,
  workspaces: readonly T[],
  check: (workspace: T) => Promise<Result[]>,
): Promise<Result[]> {
  const checked = workspaces.slice(0, MAX_WORKSPACES)
  const results = await inParallel(checked, MAX_PARALLEL, check)
  const okCount = results.filter(([first]) => first?.status === 'ok').length
  const uncheckedCount = workspaces.length - checked.length
  const rest = uncheckedCount > 0 ? ` ${uncheckedCount} more were not tried.` : ''
  const sentence = `${message} of ${okCount} of ${checked.length} workspaces.${rest}`
  const problems = results.flat().filter(({ status }) => status !== 'ok')
  return [summary(sentence, okCount === checked.length), ...problems]
}

export function summary(message: string, isFine: boolean): Result {
  return isFine ? ok(message) : warning(message, 'See the lines below.')
}

/** Aborts the check's signal when the time is up. A timeout or an error becomes an `unchecked` finding. Never rejects. */
export async function runCheck(
  name: string,
  check: (signal: AbortSignal) => Promise<Result[]>,
  withinMs = CHECK_MS,
): Promise<Finding[]> {
  const controller = new AbortController()
  // An error's message might contain a secret, so only its code or name is shown.
  const checking = check(controller.signal).catch((error: unknown) => [
    unchecked(
      `An unexpected error occurred (${rootErrorCode(error)}).`,
      'Check again. If it keeps happening, report it as a bug in Backhalf.',
    ),
  ])
  const finished = await within(systemClock, withinMs, checking)
  controller.abort()
  const timeout = unchecked(
    `There was no response within ${withinMs / 1_000} seconds.`,
    'Check again. If it keeps happening, look at this machine’s network and load.',
  )
  return named(name, ...(finished?.value ?? [timeout]))
}

/** The first code of an error and its causes, such as `ECONNREFUSED`. Without a code, its name, such as `TypeError`. */
export function rootErrorCode(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = errorCode(at instanceof AggregateError ? at.errors[0] : at)
    if (code !== undefined) return code
  }
  return error instanceof Error ? error.name : 'unknown error'
}

/** Leaves only the prefix of a known kind, and the last four characters of a long secret: `xoxb-…a1b2`. */
export function masked(secret: string): string {
  const [kind = ''] = /^(?:xoxe\.)?xox[a-z]-|^xapp-|^bh_/.exec(secret) ?? []
  return `${kind}…${secret.length - kind.length >= 16 ? secret.slice(-4) : ''}`
}

/** A second line of defense: no message should contain a secret. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, masked(secret)), text)
}

/** Replaces control characters, which another program's answer could contain, with spaces. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
}

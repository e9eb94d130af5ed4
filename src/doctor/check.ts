import { systemClock, within } from '../timing/clock.ts'
import { inParallel } from '../timing/in-parallel.ts'
import { errorCode } from '../values/unknown-values.ts'

export interface Finding {
  name: string
  /** `unchecked`: the check had no result, for example without a network. What it checks might be fine. */
  status: 'ok' | 'warning' | 'failed' | 'unchecked' | 'skipped'
  message: string
  fix?: string
}

const CHECK_MS = 10_000

/** A check has up to two steps, such as requests. */
export const STEP_MS = CHECK_MS / 2 - 500

export function ok(name: string, message: string): Finding {
  return { name, status: 'ok', message }
}

export function warning(name: string, message: string, fix: string): Finding {
  return { name, status: 'warning', message, fix }
}

export function failed(name: string, message: string, fix: string): Finding {
  return { name, status: 'failed', message, fix }
}

export function unchecked(name: string, reason: string, fix: string): Finding {
  return { name, status: 'unchecked', message: `Not checked. ${reason}`, fix }
}

export function skipped(name: string, message: string, fix?: string): Finding {
  return { name, status: 'skipped', message, ...(fix !== undefined && { fix }) }
}

const MAX_WORKSPACES = 20
const MAX_PARALLEL = 4

/**
 * Checks each workspace. Only problems get lines of their own.
 *
 * @param message how the summary starts, such as `Slack accepts the tokens`
 * @param check its first finding says whether the workspace is fine
 */
export async function checkWorkspaces<T>(
  name: string,
  message: string,
  workspaces: readonly T[],
  check: (workspace: T) => Promise<Finding[]>,
): Promise<Finding[]> {
  const tried = workspaces.slice(0, MAX_WORKSPACES)
  const checks = await inParallel(tried, MAX_PARALLEL, check)
  const working = checks.filter(([first]) => first?.status === 'ok').length
  const untried = workspaces.length - tried.length
  const rest = untried > 0 ? ` ${untried} more were not tried.` : ''
  const sentence = `${message} of ${working} of ${tried.length} workspaces.${rest}`
  const problems = checks.flat().filter(({ status }) => status !== 'ok')
  return [summary(name, sentence, working === tried.length), ...problems]
}

export function summary(name: string, message: string, isFine: boolean): Finding {
  return isFine ? ok(name, message) : warning(name, message, 'See the lines below.')
}

/** Never rejects: a timeout and an unexpected error become findings. The signal aborts when the time is up. */
export async function runCheck(
  name: string,
  check: (signal: AbortSignal) => Promise<Finding[]>,
  withinMs = CHECK_MS,
): Promise<Finding[]> {
  const ended = new AbortController()
  const checking = check(ended.signal).catch((error: unknown) => [unexpectedError(name, error)])
  const done = await within(systemClock, withinMs, checking)
  ended.abort()
  return done?.value ?? [timedOut(name, withinMs)]
}

function timedOut(name: string, ms: number): Finding {
  return unchecked(
    name,
    `There was no response within ${ms / 1_000} seconds.`,
    'Run the doctor again. If it keeps happening, check this machine’s network and load.',
  )
}

/** An error's message might contain a secret, so only its code or name is shown. */
function unexpectedError(name: string, error: unknown): Finding {
  return unchecked(
    name,
    `An unexpected error occurred (${rootErrorCode(error)}).`,
    'Run the doctor again. If it keeps happening, report it as a bug in Backhalf.',
  )
}

/** The first code among an error and its causes, or else the error's name. */
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

/** A second line of defense: messages should contain no secrets. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, masked(secret)), text)
}

/** Removes control characters, because other programs supply parts of the text. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
}

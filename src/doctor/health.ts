import { CHECK_MS, errorCode } from './check.ts'
import { responseText } from './response-text.ts'
import { serverTime, type ServerTime } from './clock-skew.ts'

const ANSWER_MS = CHECK_MS / 2 - 500

/** What answers at an address. */
export type Health = { serverTime?: ServerTime | undefined } & (
  | { outcome: 'healthy' }
  | { outcome: 'other'; status: number; location: string | null }
  | { outcome: 'silent'; code: string }
)

/** Asks `/healthz`. Backhalf answers `{"status":"ok"}`. */
export async function askHealth(
  url: URL,
  { signal, now = Date.now }: { signal?: AbortSignal | undefined; now?: () => number } = {},
): Promise<Health> {
  const limit = AbortSignal.timeout(ANSWER_MS)
  const sentAt = now()
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'application/json' },
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    const time = { serverTime: serverTime(response.headers.get('date'), sentAt, now()) }
    const { status, headers } = response
    const text = await responseText(response, 1_000)
    if (status === 200 && /^\{"status":"ok"\}\s*$/.test(text))
      return { ...time, outcome: 'healthy' }
    return { ...time, outcome: 'other', status, location: headers.get('location') }
  } catch (error) {
    return { outcome: 'silent', code: limit.aborted ? 'no answer in time' : errorCode(error) }
  }
}

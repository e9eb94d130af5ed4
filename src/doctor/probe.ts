import { errorCode, STEP_MS } from './check.ts'

/* What HTTP says about an address, as seen from this machine. */

const TOO_LATE = 'no answer in time'

/** What answers at an address. */
export type Health =
  | { outcome: 'healthy' }
  | { outcome: 'other'; status: number; location: string | null }
  | { outcome: 'silent'; code: string }

/** Asks `/healthz`. Backhalf answers `{"status":"ok"}`. */
export async function askHealth(url: URL, signal: AbortSignal | undefined): Promise<Health> {
  const limit = AbortSignal.timeout(STEP_MS)
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'application/json' },
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    const { status, headers } = response
    // Another program's page may be of any length.
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString('latin1')
      if (text.length >= 1_000) break
    }
    return status === 200 && /^\{"status":"ok"\}\s*$/.test(text)
      ? { outcome: 'healthy' }
      : { outcome: 'other', status, location: headers.get('location') }
  } catch (error) {
    return { outcome: 'silent', code: limit.aborted ? TOO_LATE : errorCode(error) }
  }
}

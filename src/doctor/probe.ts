import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { withoutBrackets } from '../http/public-hostname.ts'
import { systemClock, within } from '../timing/clock.ts'
import { errorCode, serverTime, STEP_MS, type ServerTime } from './check.ts'

/* What DNS, TLS and HTTP say about an address, as seen from this machine. */

const TOO_LATE = 'no answer in time'

/** Looks up a hostname. @returns its addresses, at least one, or the error's code */
export async function lookUp({ hostname }: URL): Promise<string[] | { code: string }> {
  const host = withoutBrackets(hostname)
  if (isIP(host)) return [host]
  try {
    // `lookup` has no time limit of its own.
    const found = await within(systemClock, STEP_MS, lookup(host, { all: true }))
    return found?.value.map(({ address }) => address) ?? { code: TOO_LATE }
  } catch (error) {
    return { code: errorCode(error) }
  }
}

/** Certificates of authorities, as PEM, that are trusted instead of the usual ones. */
interface Trust {
  ca?: string | undefined
}

interface Certificate {
  /** The error code if it is not trusted. */
  problem: string | undefined
  /** Milliseconds since 1970. */
  validUntil: number
}

/** Reads a server's certificate, trusted or not. @returns undefined if there is no TLS connection */
export function readCertificate(
  { hostname, port }: URL,
  { signal, ca }: Trust & { signal?: AbortSignal | undefined },
): Promise<Certificate | undefined> {
  const host = withoutBrackets(hostname)
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(port || 443),
      // The certificate is only looked at. What is sent to the server goes over another connection.
      rejectUnauthorized: false,
      ...(!isIP(host) && { servername: host }),
      ...(ca !== undefined && { ca }),
    })
    const end = (certificate?: Certificate): void => {
      socket.destroy()
      resolve(certificate)
    }
    socket.setTimeout(STEP_MS, () => end())
    socket.once('error', () => end())
    signal?.addEventListener('abort', () => end(), { once: true })
    socket.once('secureConnect', () => {
      // Node's types say Error, but it is an error code.
      const problem: unknown = socket.authorizationError
      end({
        problem: socket.authorized ? undefined : String(problem),
        validUntil: Date.parse(socket.getPeerCertificate().valid_to),
      })
    })
  })
}

/** What answers at an address. */
export type Health = { serverTime?: ServerTime | undefined } & (
  | { outcome: 'healthy' }
  | { outcome: 'other'; status: number; location: string | null }
  | { outcome: 'silent'; code: string }
)

/** Asks `/healthz`. Backhalf answers `{"status":"ok"}`. */
export async function askHealth(url: URL, signal: AbortSignal | undefined): Promise<Health> {
  const limit = AbortSignal.timeout(STEP_MS)
  const sentAt = Date.now()
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'application/json' },
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    const { status, headers } = response
    const time = { serverTime: serverTime(headers.get('date'), sentAt) }
    // Another program's page may be of any length.
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString('latin1')
      if (text.length >= 1_000) break
    }
    return status === 200 && /^\{"status":"ok"\}\s*$/.test(text)
      ? { ...time, outcome: 'healthy' }
      : { ...time, outcome: 'other', status, location: headers.get('location') }
  } catch (error) {
    return { outcome: 'silent', code: limit.aborted ? TOO_LATE : errorCode(error) }
  }
}

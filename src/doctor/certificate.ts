import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { CHECK_MS, failed, ok, warning, type Finding } from './check.ts'

const CONNECT_MS = CHECK_MS / 2 - 500

/** A certificate that expires sooner is reported, in days. Let’s Encrypt’s are renewed 30 days before. */
const MIN_DAYS = 14
const DAY_MS = 86_400_000

interface CertificateOptions {
  signal?: AbortSignal | undefined
  now?: () => number
  /** Certificates of authorities, as PEM, that are trusted instead of the usual ones. */
  ca?: string | undefined
}

/**
 * Checks a server's TLS certificate. It never rejects.
 *
 * @returns undefined if there is no TLS connection
 */
export async function checkCertificate(
  url: URL,
  name: string,
  { signal, ca, now = Date.now }: CertificateOptions = {},
): Promise<Finding | undefined> {
  const certificate = await readCertificate(url, { signal, ca })
  if (!certificate) return undefined
  const { problem, validUntil } = certificate
  const [day = ''] = Number.isNaN(validUntil) ? [] : new Date(validUntil).toISOString().split('T')
  if (validUntil < now()) {
    return failed(name, `The TLS certificate expired on ${day}.`, RENEW)
  }
  if (problem !== undefined) {
    return failed(
      name,
      `The TLS certificate of ${url.host} is not trusted (${problem}).`,
      'Install a certificate for this hostname from a public authority, with its intermediate certificates. Caddy and certbot do that.',
    )
  }
  const days = Math.floor((validUntil - now()) / DAY_MS)
  if (days < MIN_DAYS) {
    return warning(name, `The TLS certificate expires in ${days} days, on ${day}.`, RENEW)
  }
  return ok(name, `The TLS certificate is trusted and valid until ${day}.`)
}

const RENEW = 'Renew the certificate, and find out why it was not renewed automatically.'

/** Reads a server's certificate, trusted or not. @returns undefined if there is no TLS connection */
function readCertificate(
  { hostname, port }: URL,
  { signal, ca }: CertificateOptions,
): Promise<{ problem: string | undefined; validUntil: number } | undefined> {
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(port || 443),
      // The certificate is only looked at. What is sent to the server goes over another connection.
      rejectUnauthorized: false,
      ...(!isIP(host) && { servername: host }),
      ...(ca !== undefined && { ca }),
    })
    const end = (certificate?: { problem: string | undefined; validUntil: number }): void => {
      socket.destroy()
      resolve(certificate)
    }
    socket.setTimeout(CONNECT_MS, () => end())
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

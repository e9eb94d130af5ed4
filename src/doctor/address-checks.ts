import { once } from 'node:events'
import { isIP, isIPv6 } from 'node:net'
import { connect } from 'node:tls'
import type { Config } from '../config/config.ts'
import { withoutSlash } from '../contract/endpoints.ts'
import { describeAddresses, openDns, type LookupResult } from '../http/domain-dns.ts'
import { isLoopbackHostname, isPrivateAddress, withoutBrackets } from '../http/public-hostname.ts'
import { DAY_MS } from '../timing/days.ts'
import { rootErrorCode, failed, ok, skipped, STEP_MS, warning, type Result } from './check.ts'

export interface AddressOptions {
  /** If the program is running, an address that doesn't respond is `failed`. Otherwise, it is `skipped`. */
  isRunning: boolean
  localAddress: string
  signal?: AbortSignal | undefined
}

/** The requests come from this machine, so they can't prove that Slack reaches the URL. */
export async function checkPublicAddress(url: string, options: AddressOptions): Promise<Result[]> {
  const target = new URL(`${withoutSlash(url)}/healthz`)
  const addresses = judgeAddresses(target.hostname, await openDns().addresses(target.hostname))
  if (addresses.status === 'failed') return [addresses]
  const health = judgeHealth(target, await requestHealth(target, options.signal), options)
  const isHttps = target.protocol === 'https:' && health.status === 'ok'
  const certificate = isHttps ? await checkCertificate(target) : []
  return [...(addresses.status === 'ok' ? [] : [addresses]), health, ...certificate]
}

const MIN_CERTIFICATE_DAYS = 14

export async function checkCertificate({ hostname, port }: URL, now = Date.now()) {
  const host = withoutBrackets(hostname)
  const servername = isIP(host) ? '' : host
  // Only the date is read from this connection. The health request before it has verified the certificate.
  const socket = connect({ host, port: Number(port || 443), servername, rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(STEP_MS) })
    const days = (Date.parse(socket.getPeerCertificate().valid_to) - now) / DAY_MS
    if (Number.isNaN(days) || days >= MIN_CERTIFICATE_DAYS) return []
    const message = `The certificate of ${host} expires in ${Math.floor(days)} days.`
    const fix = 'Look in your proxy’s log for why it does not renew the certificate.'
    return [warning(message, fix)]
  } catch {
    return [] // The health request has just succeeded.
  } finally {
    socket.destroy()
  }
}

function judgeAddresses(host: string, addresses: LookupResult): Result {
  const message = describeAddresses(host, addresses)
  if ('code' in addresses) {
    return failed(message, 'Check the DNS settings of this machine (/etc/resolv.conf).')
  }
  if (addresses.length === 0) {
    const fix = `Add a DNS record (A or AAAA) for ${host} that leads to this machine or to your proxy. New records can take a few minutes.`
    return failed(message, fix)
  }
  if (!addresses.every(isPrivateAddress)) return ok(message)
  const fix =
    'Set a public address. (If your DNS gives other answers inside your network, you can ignore this.)'
  return warning(message, fix)
}

type Health = 'healthy' | { status: number; redirects: boolean } | { code: string }

async function requestHealth(url: URL, signal: AbortSignal | undefined): Promise<Health> {
  const limit = AbortSignal.timeout(STEP_MS)
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'application/json' },
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    const { status, headers } = response
    // If another program responds, its page can have any length.
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString('latin1')
      if (text.length >= 1_000) break
    }
    if (status === 200 && /^\{"status":"ok"\}\s*$/.test(text)) return 'healthy'
    return { status, redirects: headers.has('location') }
  } catch (error) {
    return { code: limit.aborted ? 'no response in time' : rootErrorCode(error) }
  }
}

function judgeHealth(url: URL, health: Health, { isRunning, localAddress }: AddressOptions) {
  if (health === 'healthy') {
    return ok(
      `Backhalf responds at ${url.origin}. (This was checked from this machine, which can’t prove what Slack and browsers elsewhere see.)`,
    )
  }
  const forward = `Make your proxy forward all paths of ${url.host} to ${localAddress}.`
  if ('code' in health && /CERT|VERIFY|^ERR_SSL_/.test(health.code)) {
    return failed(
      `https does not work at ${url.origin} (${health.code}).`,
      `Put a proxy in front that gets certificates from a public authority and renews them, such as Caddy. ${forward}`,
    )
  }
  if ('status' in health && ![502, 503, 504].includes(health.status)) {
    const message = `Something responds at ${url.href}, but it is not Backhalf (status ${health.status}).`
    const redirect = 'It redirects. Set the address that it redirects to, or change your proxy. '
    return failed(message, (health.redirects ? redirect : '') + forward)
  }
  const reason = 'code' in health ? health.code : `a proxy returns status ${health.status}`
  const message = `Backhalf does not respond at ${url.origin} (${reason}).`
  return isRunning
    ? failed(message, forward)
    : skipped(message, 'Start Backhalf, then run the doctor again.')
}

export function localOrigin(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

/**
 * Checks whether Backhalf runs on this machine.
 * @returns `ok` if it is ready, `warning` if it runs but is not ready, `skipped` if it is not running, and `failed` if
 *   something else listens at its port
 */
export async function checkLocalPort(
  origin: string,
  { setting, signal }: { setting: string; signal?: AbortSignal | undefined },
): Promise<Result> {
  const { host } = new URL(origin)
  const health = await requestHealth(new URL('/healthz', origin), signal)
  if (health === 'healthy') {
    const readiness = await requestHealth(new URL('/readyz', origin), signal)
    if (readiness === 'healthy') return ok(`It is running, and responds at ${host}.`)
    return warning(
      `It is running at ${host}, but says that it is not ready.`,
      'Its log says why. Fix the other problems in this report first.',
    )
  }
  if ('code' in health && health.code === 'ECONNREFUSED') {
    const message = `It is not running on this machine (${host}).`
    const fix =
      'Start it (npm start), then run the doctor again. If it runs on another machine, run the doctor there.'
    return skipped(message, fix)
  }
  const message =
    'status' in health
      ? `Another program responds at ${host} (status ${health.status}).`
      : `Something listens at ${host}, but does not respond (${health.code}).`
  return failed(message, `Stop that program, or choose another port with ${setting}.`)
}

/** @returns undefined if others can open the short links, or in the playground, where they need not */
export function localServiceUrlWarning(config: Config): string | undefined {
  const { slack, linkService, servicePublicUrl, servicePort } = config
  if (slack.mode === 'playground' || linkService.kind === 'external') return undefined
  if (!isLoopbackHostname(new URL(servicePublicUrl).hostname)) return undefined
  return `Short links open only on this machine, and Slack can’t show their cards and preview images, because SERVICE_PUBLIC_URL is ${servicePublicUrl}. Set it to a public https address that leads to port ${servicePort}. npm run setup helps with that.`
}

import { lookup } from 'node:dns/promises'
import { isIP, isIPv6 } from 'node:net'
import { checkCertificate } from './certificate.ts'
import { CHECK_MS, errorCode, failed, ok, skipped, warning, type Finding } from './check.ts'
import type { ServerTime } from './clock-skew.ts'
import { askHealth, type Health } from './health.ts'
import { isPrivate } from './private-address.ts'

/** How long DNS may take, in milliseconds. After it, the certificate and the answer take as long. */
const DNS_MS = CHECK_MS / 2 - 500

export interface AddressOptions {
  /** What the findings are about, such as `PUBLIC_URL`. */
  name?: string
  /**
   * Whether the program that should answer is running. If not, an address that does not answer is
   * skipped. If this is unknown (the default), it is a warning.
   */
  isRunning?: boolean | undefined
  /** Where the program listens on this machine, such as `127.0.0.1:3000`, for a proxy's settings. */
  localAddress?: string
  signal?: AbortSignal | undefined
  now?: () => number
}

/**
 * Checks an address that browsers or Slack use: DNS, the TLS certificate, and whether Backhalf answers.
 * It asks from this machine, so it can't prove what Slack sees. It never rejects.
 *
 * @param url such as `https://links.example.com`
 * @param path where Backhalf answers `{"status":"ok"}`
 */
export async function checkPublicAddress(
  url: string,
  path = '/healthz',
  options: AddressOptions = {},
): Promise<{ findings: Finding[]; serverTime?: ServerTime | undefined }> {
  const { name = 'Public address' } = options
  const target = new URL(path.replace(/^\//, ''), url.endsWith('/') ? url : `${url}/`)
  const addresses = await checkDns(target, name)
  if (addresses.status === 'failed') return { findings: [addresses] }
  const [certificate, answer] = await Promise.all([
    target.protocol === 'https:' ? checkCertificate(target, name, options) : undefined,
    askHealth(target, options),
  ])
  // If the certificate is not trusted, that is why there is no answer.
  const isDistrusted = certificate?.status === 'failed'
  return {
    findings: [
      ...(addresses.status === 'ok' ? [] : [addresses]),
      ...(certificate ? [certificate] : []),
      ...(isDistrusted ? [] : [judge(target, answer, options)]),
    ],
    serverTime: answer.serverTime,
  }
}

/** Where a server that listens on a host can be asked from the same machine. */
export function localOrigin(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

/**
 * Asks a program on this machine whether it runs.
 *
 * @param origin where it listens, such as `http://127.0.0.1:3000`
 * @param variable the environment variable that sets the port
 * @param command what starts the program
 */
export async function checkLocalPort(
  origin: string,
  {
    name,
    variable,
    command,
    signal,
  }: { name: string; variable: string; command: string; signal?: AbortSignal | undefined },
): Promise<{ finding: Finding; isRunning: boolean }> {
  const { host } = new URL(origin)
  const answer = await askHealth(new URL('/healthz', origin), { signal })
  if (answer.outcome === 'healthy') {
    const ready = await askHealth(new URL('/readyz', origin), { signal })
    const finding =
      ready.outcome === 'healthy'
        ? ok(name, `It is running, and answers at ${host}.`)
        : warning(
            name,
            `It is running at ${host}, but says that it is not ready.`,
            'Its log says why. Fix the other problems in this report first.',
          )
    return { finding, isRunning: true }
  }
  if (answer.outcome === 'silent' && answer.code === 'ECONNREFUSED') {
    const message = `It is not running on this machine (${host}).`
    const fix = `Start it (${command}), then run the doctor again. If it runs on another machine, run the doctor there.`
    return { finding: skipped(name, message, fix), isRunning: false }
  }
  const message =
    answer.outcome === 'other'
      ? `Another program answers at ${host} (status ${answer.status}).`
      : `Something listens at ${host}, but does not answer (${answer.code}).`
  const fix = `Stop that program, or choose another port with ${variable}.`
  return { finding: failed(name, message, fix), isRunning: false }
}

async function checkDns(url: URL, name: string): Promise<Finding> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  let addresses: string[]
  try {
    addresses = isIP(host)
      ? [host]
      : (await withLimit(lookup(host, { all: true }))).map(({ address }) => address)
  } catch (error) {
    const code = errorCode(error)
    return code === 'ENOTFOUND'
      ? failed(
          name,
          `DNS has no address for ${host}.`,
          `Add a DNS record (A or AAAA) for ${host} that leads to this machine or to your proxy. New records can take a few minutes.`,
        )
      : failed(
          name,
          `The address of ${host} can’t be looked up (${code}).`,
          'Check the DNS settings of this machine (/etc/resolv.conf).',
        )
  }
  const [first = ''] = addresses
  if (!addresses.every(isPrivate)) return ok(name, `${host} has the address ${first}.`)
  return warning(
    name,
    `${host} leads to ${first}, which only this machine or its network can reach.`,
    'Set a public address. (If your DNS gives other answers inside your network, you can ignore this.)',
  )
}

function judge(url: URL, answer: Health, options: AddressOptions): Finding {
  const { name = 'Public address', isRunning, localAddress = 'the port of Backhalf' } = options
  if (answer.outcome === 'healthy') {
    return ok(
      name,
      `Backhalf answers at ${url.origin}. (This was checked from this machine, which can’t prove what Slack and browsers elsewhere see.)`,
    )
  }
  const forward = `Make your proxy forward all paths of ${url.host} to ${localAddress}.`
  if (answer.outcome === 'silent' && url.protocol === 'https:' && /^ERR_SSL_/.test(answer.code)) {
    return failed(
      name,
      `What answers at ${url.origin} does not speak https (${answer.code}).`,
      `Put a proxy with https in front, such as Caddy. ${forward}`,
    )
  }
  const behind = answer.outcome === 'other' && [502, 503, 504].includes(answer.status)
  const message =
    answer.outcome === 'silent'
      ? `Nothing answers at ${url.origin} (${answer.code}).`
      : behind
        ? `A proxy answers at ${url.origin}, but Backhalf does not answer the proxy (status ${answer.status}).`
        : `Something answers at ${url.href}, but it is not Backhalf (status ${answer.status}).`
  if (isRunning === false && (answer.outcome === 'silent' || behind)) {
    return skipped(name, message, 'Start Backhalf, then run the doctor again.')
  }
  if (answer.outcome === 'other' && answer.location !== null) {
    const fix = `It redirects. Set the address that it redirects to, or ${lowerFirst(forward)}`
    return failed(name, message, fix)
  }
  if (isRunning || !(answer.outcome === 'silent' || behind)) return failed(name, message, forward)
  return warning(
    name,
    message,
    `If Backhalf is running: ${forward} If not, start it and check again.`,
  )
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

/** `lookup` has no time limit of its own. */
async function withLimit<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(timedOut()), DNS_MS)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

function timedOut(): Error {
  return Object.assign(new Error('no answer in time'), { code: 'no answer in time' })
}

import { createTransport } from '../client/transport.ts'
import type { Config } from '../config/config.ts'
import { checkDomainDns } from '../http/domain-dns.ts'
import { isLoopbackHostname } from '../http/public-hostname.ts'
import {
  checkLocalPort,
  checkPublicAddress,
  localOrigin,
  type AddressOptions,
} from './address-checks.ts'
import {
  failed,
  named,
  ok,
  runCheck,
  skipped,
  summary,
  warning,
  type Finding,
  type Result,
} from './check.ts'
import { MAX_HOSTNAMES, type StoredData } from './key-checks.ts'
import { checkConfiguredKey, checkServiceAddress, checkStoredKeys } from './service-checks.ts'

const LINK_SERVICE = 'Link service'
const KEYS = 'Workspaces’ keys'

const PROGRAMS = {
  App: { setting: 'PORT', urlSetting: 'PUBLIC_URL' },
  [LINK_SERVICE]: { setting: 'SERVICE_PORT', urlSetting: 'SERVICE_PUBLIC_URL' },
} as const

async function checkProgram(
  name: keyof typeof PROGRAMS,
  origin: string,
  checkUrl: (options: AddressOptions) => Promise<Result[]>,
) {
  const { setting, urlSetting } = PROGRAMS[name]
  const local = await runCheck(name, async (signal) => [
    await checkLocalPort(origin, { setting, signal }),
  ])
  const isRunning = local.some(({ status }) => status === 'ok' || status === 'warning')
  const localAddress = new URL(origin).host
  const address = await runCheck(urlSetting, (signal) =>
    checkUrl({ isRunning, localAddress, signal }),
  )
  return { findings: [...local, ...address], isRunning }
}

export async function checkAppAddresses(config: Config): Promise<Finding[]> {
  const origin = localOrigin(config.host, config.port)
  const app = await checkProgram('App', origin, (options) => checkPublicUrl(config, options))
  return app.findings
}

async function checkPublicUrl({ publicUrl, slack: { mode } }: Config, options: AddressOptions) {
  if (publicUrl === undefined) return [URL_NOT_SET[mode]]
  const findings = await checkPublicAddress(publicUrl, options)
  if (new URL(publicUrl).protocol === 'https:' || mode === 'playground') return findings
  const fix = 'Put a proxy with https in front, such as Caddy, and set PUBLIC_URL to its address.'
  const insecure =
    mode === 'socket'
      ? warning('It is not https, so Slack shows no pictures from there.', fix)
      : failed('It is not https, and Slack calls only https addresses.', fix)
  return [insecure, ...findings]
}

const URL_NOT_SET: Record<Config['slack']['mode'], Result> = {
  playground: skipped('It is not set. The playground needs none.'),
  socket: skipped('It is not set. Socket Mode needs none; charts are uploaded to Slack.'),
  http: warning(
    'It is not set, so the address that Slack calls can’t be checked.',
    'Set it to the app’s public https address, the one in the app’s manifest.',
  ),
}

export async function checkLinkService(config: Config, stored: StoredData | undefined) {
  const { linkService } = config
  if (linkService.kind === 'external') {
    const { service, baseUrl } = linkService
    const address = await runCheck(LINK_SERVICE, (signal) =>
      checkServiceAddress(service, baseUrl, signal),
    )
    const isUsable = address.every(({ status }) => status !== 'failed' && status !== 'unchecked')
    const keys = isUsable ? await checkKeys(config, stored, baseUrl) : []
    return [...address, ...keys]
  }
  const origin = localOrigin(config.host, config.servicePort)
  const { findings, isRunning } = await checkProgram(LINK_SERVICE, origin, (options) =>
    checkServiceUrl(config, options),
  )
  const noService = skipped('The link service does not respond here, so they were not tried.')
  const keys = isRunning ? await checkKeys(config, stored, origin) : named(KEYS, noService)
  const domains = await checkDomains(stored?.hostnames ?? [], config.servicePublicUrl)
  return [...findings, ...keys, ...domains]
}

async function checkServiceUrl(config: Config, options: AddressOptions): Promise<Result[]> {
  const { servicePublicUrl: url, servicePort, slack } = config
  if (!isLoopbackHostname(new URL(url).hostname)) return checkPublicAddress(url, options)
  if (slack.mode === 'playground') {
    return [ok(`Short URLs start with ${url}. That is enough for the playground.`)]
  }
  const fix = `Make port ${servicePort} reachable at a public https address, and set SERVICE_PUBLIC_URL to it.`
  return [warning(`Short URLs start with ${url}, so they work on this machine only.`, fix)]
}

async function checkKeys(config: Config, stored: StoredData | undefined, baseUrl: string) {
  const { fallback, linkService } = config
  const kind = linkService.kind === 'external' ? linkService.service : 'backhalf'
  const transport = createTransport()
  const [configured, workspaces] = await Promise.all([
    fallback &&
      runCheck('SHORTLINK_API_KEY', (signal) =>
        checkConfiguredKey({ kind, transport, baseUrl, signal }, fallback),
      ),
    runCheck(KEYS, (signal) => checkStoredKeys({ kind, transport, baseUrl, signal }, stored)),
  ])
  // Ends the requests of a check that ran out of time.
  void transport.close()
  return [...(configured ?? []), ...workspaces]
}

const DNS_RESULTS = {
  ok: 'ok',
  missing: 'failed',
  elsewhere: 'warning',
  unknown: 'unchecked',
} as const

async function checkDomains(hostnames: readonly string[], servicePublicUrl: string) {
  const target = new URL(servicePublicUrl).hostname
  if (hostnames.length === 0 || isLoopbackHostname(target)) return []
  const findings = await Promise.all(
    hostnames.map(async (name): Promise<Finding> => {
      const { status, message } = await checkDomainDns(name, target)
      return { name, status: DNS_RESULTS[status], message }
    }),
  )
  if (findings.every(({ status }) => status === 'unchecked')) return findings
  const problems = findings.filter(({ status }) => status !== 'ok')
  const okCount = findings.length - problems.length
  const message = `DNS leads ${okCount} of ${findings.length} hostnames to ${target}. (Only the newest ${MAX_HOSTNAMES} are checked.)`
  return [...named('Domain records', summary(message, problems.length === 0)), ...problems]
}

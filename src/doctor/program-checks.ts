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
import { MAX_HOSTNAMES, type Stored } from './key-checks.ts'
import { checkConfiguredKey, checkServiceAddress, checkStoredKeys } from './service-checks.ts'

async function checkProgram(
  { host, port, servicePort }: Config,
  name: 'App' | 'Link service',
  checkUrl: (options: AddressOptions) => Promise<Result[]>,
): Promise<{ findings: Finding[]; origin: string; isRunning: boolean }> {
  const isApp = name === 'App'
  const origin = localOrigin(host, isApp ? port : servicePort)
  const local = await runCheck(name, async (signal) => {
    const setting = isApp ? 'PORT' : 'SERVICE_PORT'
    return [await checkLocalPort(origin, { setting, signal })]
  })
  const isRunning = local.some(({ status }) => status === 'ok' || status === 'warning')
  const localAddress = new URL(origin).host
  const address = await runCheck(isApp ? 'PUBLIC_URL' : 'SERVICE_PUBLIC_URL', (signal) =>
    checkUrl({ isRunning, localAddress, signal }),
  )
  return { findings: [...local, ...address], origin, isRunning }
}

export async function checkAppAddresses(config: Config): Promise<Finding[]> {
  const checkUrl = (options: AddressOptions) => checkPublicUrl(config, options)
  return (await checkProgram(config, 'App', checkUrl)).findings
}

async function checkPublicUrl(
  { publicUrl, slack: { mode } }: Config,
  options: AddressOptions,
): Promise<Result[]> {
  if (publicUrl === undefined) return [publicUrlNotSet(mode)]
  const findings = await checkPublicAddress(publicUrl, options)
  if (new URL(publicUrl).protocol === 'https:' || mode === 'playground') return findings
  const fix = 'Put a proxy with https in front, such as Caddy, and set PUBLIC_URL to its address.'
  const insecure =
    mode === 'socket'
      ? warning('It is not https, so Slack shows no pictures from there.', fix)
      : failed('It is not https, and Slack calls only https addresses.', fix)
  return [insecure, ...findings]
}

function publicUrlNotSet(mode: Config['slack']['mode']): Result {
  if (mode === 'playground') return skipped('It is not set. The playground needs none.')
  if (mode === 'socket') {
    return skipped('It is not set. Socket Mode needs none; charts are uploaded to Slack.')
  }
  return warning(
    'It is not set, so the address that Slack calls can’t be checked.',
    'Set it to the app’s public https address, the one in the app’s manifest.',
  )
}

const NAME = 'Link service'
const WORKSPACES_KEYS = 'Workspaces’ keys'

export async function checkLinkService(
  config: Config,
  stored: Stored | undefined,
): Promise<Finding[]> {
  const { linkService } = config
  if (linkService.kind === 'external') {
    const { service, baseUrl } = linkService
    const address = await runCheck(NAME, (signal) => checkServiceAddress(service, baseUrl, signal))
    const isUsable = address.every(({ status }) => status !== 'failed' && status !== 'unchecked')
    const keys = isUsable ? await checkKeys(config, stored, baseUrl) : []
    return [...address, ...keys]
  }
  const checkUrl = (options: AddressOptions) => checkServiceUrl(config, options)
  const { findings, origin, isRunning } = await checkProgram(config, NAME, checkUrl)
  const untried = skipped('The link service does not respond here, so they were not tried.')
  const keys = isRunning ? await checkKeys(config, stored, origin) : named(WORKSPACES_KEYS, untried)
  const domains = await checkDomains(stored?.hostnames ?? [], config.servicePublicUrl)
  return [...findings, ...keys, ...domains]
}

async function checkServiceUrl(
  { servicePublicUrl: url, servicePort, slack }: Config,
  options: AddressOptions,
): Promise<Result[]> {
  if (!isLoopbackHostname(new URL(url).hostname)) return checkPublicAddress(url, options)
  return [
    slack.mode === 'playground'
      ? ok(`Short URLs start with ${url}. That is enough for the playground.`)
      : warning(
          `Short URLs start with ${url}, so they work on this machine only.`,
          `Make port ${servicePort} reachable at a public https address, and set SERVICE_PUBLIC_URL to it.`,
        ),
  ]
}

async function checkKeys(
  { fallback, linkService }: Config,
  stored: Stored | undefined,
  baseUrl: string,
): Promise<Finding[]> {
  const kind = linkService.kind === 'external' ? linkService.service : 'backhalf'
  const transport = createTransport()
  const [configured, workspaces] = await Promise.all([
    fallback &&
      runCheck('SHORTLINK_API_KEY', (signal) =>
        checkConfiguredKey({ kind, transport, baseUrl, signal }, fallback),
      ),
    runCheck(WORKSPACES_KEYS, (signal) =>
      checkStoredKeys({ kind, transport, baseUrl, signal }, stored),
    ),
  ])
  // A check that ran out of time might have left a request behind.
  void transport.close()
  return [...(configured ?? []), ...workspaces]
}

const STATUS = { ok: 'ok', missing: 'failed', elsewhere: 'warning', unknown: 'unchecked' } as const

async function checkDomains(
  hostnames: readonly string[],
  servicePublicUrl: string,
): Promise<Finding[]> {
  const target = new URL(servicePublicUrl).hostname
  if (hostnames.length === 0 || isLoopbackHostname(target)) return []
  const found = await Promise.all(
    hostnames.map(async (name): Promise<Finding> => {
      const { status, message } = await checkDomainDns(name, target)
      return { name, status: STATUS[status], message }
    }),
  )
  if (found.every(({ status }) => status === 'unchecked')) return found
  const problems = found.filter(({ status }) => status !== 'ok')
  const leading = found.length - problems.length
  const message = `DNS leads ${leading} of ${found.length} hostnames to ${target}. (Only the newest ${MAX_HOSTNAMES} are checked.)`
  return [...named('Domain records', summary(message, problems.length === 0)), ...problems]
}

import { createTransport } from '../client/transport.ts'
import type { Variables } from '../config/variables.ts'
import { isLoopbackHostname } from '../http/public-hostname.ts'
import {
  checkLocalPort,
  checkPublicAddress,
  localOrigin,
  type AddressOptions,
} from './address-checks.ts'
import { failed, ok, runCheck, skipped, skippedFor, warning, type Finding } from './check.ts'
import type { Deployment } from './deployment.ts'
import { checkDomains } from './domain-checks.ts'
import type { Stored } from './key-checks.ts'
import { checkConfiguredKey, checkServiceAddress, checkStoredKeys } from './service-checks.ts'

/** A program that listens on this machine, and has a public address. */
interface Program {
  name: string
  port: number
  portSetting: keyof Variables
  urlSetting: keyof Variables
  checkUrl: (options: AddressOptions) => Promise<Finding[]>
}

/** Checks whether a program runs here, and whether it can be reached at its public address. */
async function checkProgram(
  { config: { host }, isInvalid }: Deployment,
  { name, port, portSetting, urlSetting, checkUrl }: Program,
): Promise<{ findings: Finding[]; origin: string; isRunning: boolean | undefined }> {
  const origin = localOrigin(host, port)
  let isRunning: boolean | undefined
  const local = await runCheck(name, async (signal) => {
    if (isInvalid(portSetting)) return [skippedFor(portSetting, name)]
    const found = await checkLocalPort(origin, { name, setting: portSetting, signal })
    isRunning = found.isRunning
    return [found]
  })
  const localAddress = new URL(origin).host
  const address = await runCheck(urlSetting, async (signal) =>
    isInvalid(urlSetting)
      ? [skippedFor(urlSetting, urlSetting)]
      : checkUrl({ name: urlSetting, isRunning, localAddress, signal }),
  )
  return { findings: [...local, ...address], origin, isRunning }
}

/** Checks whether the app runs here, and whether it can be reached at PUBLIC_URL. */
export async function checkAppAddresses(deployment: Deployment): Promise<Finding[]> {
  const { findings } = await checkProgram(deployment, {
    name: 'App',
    port: deployment.config.port,
    portSetting: 'PORT',
    urlSetting: 'PUBLIC_URL',
    checkUrl: (options) => checkPublicUrl(deployment, options),
  })
  return findings
}

async function checkPublicUrl(
  { config: { publicUrl, slack } }: Deployment,
  options: AddressOptions,
): Promise<Finding[]> {
  const { name } = options
  if (publicUrl === undefined) return [missing(name, slack?.mode)]
  const findings = await checkPublicAddress(publicUrl, options)
  const isHttp = new URL(publicUrl).protocol === 'http:'
  if (!isHttp || slack?.mode === 'playground') return findings
  const fix = 'Put a proxy with https in front, such as Caddy, and set PUBLIC_URL to its address.'
  const insecure =
    slack?.mode === 'socket'
      ? warning(name, 'It is not https, so Slack shows no pictures from there.', fix)
      : failed(name, 'It is not https, and Slack calls only https addresses.', fix)
  return [insecure, ...findings]
}

function missing(name: string, mode: 'playground' | 'http' | 'socket' | undefined): Finding {
  if (mode === 'playground') return skipped(name, 'It is not set. The playground needs none.')
  if (mode === 'socket') {
    return skipped(name, 'It is not set. Socket Mode needs none; charts are uploaded to Slack.')
  }
  return warning(
    name,
    'It is not set, so the address that Slack calls can’t be checked.',
    'Set it to the app’s public https address, the one in the app’s manifest.',
  )
}

const NAME = 'Link service'

/** Checks the link service: its address, whether it answers, and which keys it accepts. */
export async function checkLinkService(
  deployment: Deployment,
  stored: Promise<Stored | undefined>,
): Promise<Finding[]> {
  const { config, isInvalid } = deployment
  const { linkService } = config
  if (isInvalid('SHORTLINK_BASE_URL')) {
    return [skippedFor('SHORTLINK_BASE_URL', NAME)]
  }
  if (linkService.kind === 'external') {
    const { baseUrl } = linkService
    const answer = await runCheck(NAME, (signal) => checkServiceAddress(baseUrl, signal))
    const isUsable = answer.every(({ status }) => status !== 'failed' && status !== 'unchecked')
    const keys = isUsable ? await checkKeys(deployment, stored, baseUrl) : []
    return [...answer, ...keys]
  }
  const { findings, origin, isRunning } = await checkProgram(deployment, {
    name: NAME,
    port: config.servicePort,
    portSetting: 'SERVICE_PORT',
    urlSetting: 'SERVICE_PUBLIC_URL',
    checkUrl: (options) => checkServiceUrl(deployment, options),
  })
  const untried = 'The link service does not answer here, so they were not tried.'
  const keys = isRunning
    ? await checkKeys(deployment, stored, origin)
    : [skipped('Workspaces’ keys', untried)]
  const hostnames = (await stored)?.hostnames ?? []
  return [...findings, ...keys, ...(await checkDomains(hostnames, config.servicePublicUrl))]
}

async function checkServiceUrl(
  { config: { servicePublicUrl: url, servicePort, slack } }: Deployment,
  options: AddressOptions,
): Promise<Finding[]> {
  if (!isLoopbackHostname(new URL(url).hostname)) return checkPublicAddress(url, options)
  return [
    slack?.mode === 'playground'
      ? ok(options.name, `Short URLs start with ${url}. That is enough for the playground.`)
      : warning(
          options.name,
          `Short URLs start with ${url}, so they work on this machine only.`,
          `Make port ${servicePort} reachable at a public https address, and set SERVICE_PUBLIC_URL to it.`,
        ),
  ]
}

async function checkKeys(
  { config: { fallback } }: Deployment,
  stored: Promise<Stored | undefined>,
  baseUrl: string,
): Promise<Finding[]> {
  const transport = createTransport()
  const [configured, workspaces] = await Promise.all([
    fallback &&
      runCheck('SHORTLINK_API_KEY', (signal) =>
        checkConfiguredKey({ transport, baseUrl, signal }, fallback),
      ),
    stored.then((found) =>
      runCheck('Workspaces’ keys', (signal) =>
        checkStoredKeys({ transport, baseUrl, signal }, found),
      ),
    ),
  ])
  // A check that ran out of time may have left a request behind.
  void transport.close()
  return [...(configured ?? []), ...workspaces]
}

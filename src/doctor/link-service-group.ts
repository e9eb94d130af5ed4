import { createTransport } from '../client/transport.ts'
import { isLoopbackHostname } from '../http/public-hostname.ts'
import { checkPublicAddress, type AddressOptions } from './address-checks.ts'
import { ok, runCheck, skipped, skippedFor, warning, type Finding } from './check.ts'
import type { Deployment } from './deployment.ts'
import type { Stored } from './key-checks.ts'
import { checkProgram } from './public-addresses.ts'
import { checkConfiguredKey, checkServiceAddress, checkStoredKeys } from './service-checks.ts'

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
    const isUsable = answer.every(({ status }) => status !== 'failed')
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
  return [...findings, ...keys]
}

/** Checks the address of short URLs. */
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

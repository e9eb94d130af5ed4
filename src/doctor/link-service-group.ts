import { createTransport, type Transport } from '../client/transport.ts'
import { LIST_PATH, parseBaseUrl } from '../contract/endpoints.ts'
import { isLoopbackHostname } from '../http/public-hostname.ts'
import { checkLocalPort, checkPublicAddress, localOrigin } from './address-checks.ts'
import { failed, ok, runCheck, skipped, warning, type Finding } from './check.ts'
import { serverTime, type ServerTime } from './clock-skew.ts'
import type { Deployment } from './deployment.ts'
import type { Stored } from './key-checks.ts'
import {
  checkConfiguredKey,
  checkStoredKeys,
  serviceProblem,
  type ServiceAccess,
} from './service-key-checks.ts'

type Checked = { findings: Finding[]; serverTime?: ServerTime | undefined }

/** Checks the link service: its address, whether it answers, and which keys it accepts. */
export async function checkLinkService(
  deployment: Deployment,
  stored: Promise<Stored | undefined>,
): Promise<Checked> {
  const { config, isInvalid } = deployment
  if (isInvalid('SHORTLINK_BASE_URL')) {
    return {
      findings: [skipped('Link service', 'SHORTLINK_BASE_URL is invalid (see Configuration).')],
    }
  }
  const transport = createTransport()
  try {
    const { linkService } = config
    return await (linkService.kind === 'built-in'
      ? checkBuiltIn(deployment, stored, transport)
      : checkExternal(deployment, stored, transport, linkService.baseUrl))
  } finally {
    // A check that ran out of time may have left a request behind.
    void transport.close()
  }
}

async function checkBuiltIn(
  deployment: Deployment,
  stored: Promise<Stored | undefined>,
  transport: Transport,
): Promise<Checked> {
  const { config, isInvalid } = deployment
  const { host, servicePort, servicePublicUrl } = config
  if (isInvalid('SERVICE_PORT')) {
    return { findings: [skipped('Link service', 'SERVICE_PORT is invalid (see Configuration).')] }
  }
  const name = 'Link service'
  const origin = localOrigin(host, servicePort)
  const local = await checkLocalPort(origin, {
    name,
    variable: 'SERVICE_PORT',
    command: 'npm start',
  })
  const [publicAddress, keys] = await Promise.all([
    runCheck('SERVICE_PUBLIC_URL', (signal) =>
      checkServiceUrl(deployment, { isRunning: local.isRunning, signal }),
    ),
    local.isRunning
      ? checkKeys(deployment, stored, { transport, baseUrl: origin })
      : [
          skipped(
            'Workspaces’ keys',
            'The link service does not answer here, so they were not tried.',
          ),
        ],
  ])
  return {
    findings: [local.finding, ...publicAddress.findings, ...keys],
    serverTime: isLoopbackHostname(new URL(servicePublicUrl).hostname)
      ? undefined
      : publicAddress.serverTime,
  }
}

/** Checks the address of short URLs. */
async function checkServiceUrl(
  { config, isInvalid }: Deployment,
  { isRunning, signal }: { isRunning: boolean | undefined; signal: AbortSignal },
): Promise<Checked> {
  const name = 'SERVICE_PUBLIC_URL'
  if (isInvalid(name)) return { findings: [skipped(name, 'It is invalid (see Configuration).')] }
  const url = config.servicePublicUrl
  if (!isLoopbackHostname(new URL(url).hostname)) {
    const localAddress = new URL(localOrigin(config.host, config.servicePort)).host
    return checkPublicAddress(url, '/healthz', { name, isRunning, localAddress, signal })
  }
  if (config.slack?.mode === 'playground') {
    return {
      findings: [ok(name, `Short URLs start with ${url}. That is enough for the playground.`)],
    }
  }
  return {
    findings: [
      warning(
        name,
        `Short URLs start with ${url}, so they work on this machine only.`,
        `Make port ${config.servicePort} reachable at a public https address, and set SERVICE_PUBLIC_URL to it.`,
      ),
    ],
  }
}

async function checkExternal(
  deployment: Deployment,
  stored: Promise<Stored | undefined>,
  transport: Transport,
  baseUrl: string,
): Promise<Checked> {
  const answer = await runCheck('Link service', (signal) =>
    askWithoutKey({ transport, baseUrl, signal }),
  )
  if (answer.findings.some(({ status }) => status === 'failed')) return answer
  const keys = await checkKeys(deployment, stored, { transport, baseUrl })
  return { ...answer, findings: [...answer.findings, ...keys] }
}

/** A link service refuses a list without a key (spec §5), which shows that it is one. */
async function askWithoutKey({ transport, baseUrl, signal }: ServiceAccess): Promise<Checked> {
  const name = 'Link service'
  const url = parseBaseUrl(baseUrl)
  const { host } = new URL(url)
  const sentAt = Date.now()
  try {
    const response = await transport.send({
      method: 'GET',
      url: url + LIST_PATH,
      headers: { accept: 'application/json' },
      signal,
    })
    const { status } = response
    const time = serverTime(response.header('date'), sentAt, Date.now())
    return { findings: [judge(name, host, status, response.header('location'))], serverTime: time }
  } catch (error) {
    return { findings: [serviceProblem(name, error, host)] }
  }
}

function judge(name: string, host: string, status: number, location: string | undefined): Finding {
  const fix = 'Correct SHORTLINK_BASE_URL: paths such as /api/v1/shortlinks/… are appended to it.'
  if (status === 401) return ok(name, `It answers at ${host}.`)
  if (status >= 300 && status < 400 && location !== undefined) {
    const target = URL.parse(location)?.origin ?? 'another path'
    return failed(name, `${host} redirects to ${target}, and keys are not sent there.`, fix)
  }
  if (status === 429 || status >= 500) {
    return warning(
      name,
      `${host} answers with status ${status}.`,
      'Run the doctor again in a minute. If it keeps happening, ask the people who run the link service.',
    )
  }
  if (status === 200 || status === 403) {
    return warning(
      name,
      `${host} answers a request without a key with status ${status} instead of 401.`,
      'This may not be the link service. Check SHORTLINK_BASE_URL.',
    )
  }
  return failed(name, `What answers at ${host} is not a link service (status ${status}).`, fix)
}

async function checkKeys(
  { config: { fallback } }: Deployment,
  stored: Promise<Stored | undefined>,
  access: Omit<ServiceAccess, 'signal'>,
): Promise<Finding[]> {
  const [configured, workspaces] = await Promise.all([
    fallback &&
      runCheck('SHORTLINK_API_KEY', async (signal) => ({
        findings: await checkConfiguredKey({ ...access, signal }, fallback),
      })),
    stored.then((found) =>
      runCheck('Workspaces’ keys', async (signal) => ({
        findings: await checkStoredKeys({ ...access, signal }, found),
      })),
    ),
  ])
  return [...(configured?.findings ?? []), ...workspaces.findings]
}

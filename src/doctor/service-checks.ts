import {
  failureOf,
  FORBIDDEN,
  LinkServiceError,
  NetworkError,
  TimeoutError,
} from '../port/failures.ts'
import { COMMAND } from '../config/command.ts'
import { DRIVERS } from '../drivers/drivers.ts'
import type { LinkService, ServiceKind } from '../port/link-service.ts'
import { createOperation, type Operation } from '../port/operation.ts'
import { createTransport, type Transport } from '../client/transport.ts'
import { LIST_PATH, parseBaseUrl } from '../contract/endpoints.ts'
import { systemClock } from '../timing/clock.ts'
import {
  failed,
  ok,
  skipped,
  STEP_MS,
  checkWorkspaces,
  unchecked,
  warning,
  type Finding,
} from './check.ts'
import type { Stored } from './key-checks.ts'

const ADDRESS_FIX =
  'Correct SHORTLINK_BASE_URL: paths such as /api/v1/shortlinks/… are appended to it.'

/** Lists links without a key. The refusal (spec §5) shows that this is a link service. */
export async function checkServiceAddress(
  kind: ServiceKind,
  baseUrl: string,
  signal: AbortSignal,
): Promise<Finding[]> {
  const name = 'Link service'
  const url = parseBaseUrl(baseUrl)
  const { host } = new URL(url)
  const transport = createTransport()
  try {
    if (kind !== 'backhalf') {
      const access = { kind, transport, baseUrl, signal }
      return [await checkAddressOfKind(access, name, host)]
    }
    const response = await transport.send({
      method: 'GET',
      url: url + LIST_PATH,
      headers: { accept: 'application/json' },
      signal,
    })
    return [judgeStatus(name, host, response.status, response.header('location'))]
  } catch (error) {
    return [serviceProblem(name, error, host)]
  } finally {
    void transport.close()
  }
}

async function checkAddressOfKind(
  access: ServiceAccess,
  name: string,
  host: string,
): Promise<Finding> {
  const { label } = DRIVERS[access.kind]
  try {
    const client = await openService(access, 'backhalf-tries-a-wrong-key')
    await client.list({ per_page: 1 }, stepOptions(access.signal))
  } catch (error) {
    if (failureOf(error, 'unauthorized')) {
      return ok(name, `${label} responds at ${host}, and requires an API key.`)
    }
    if (!failureOf(error, 'unreadable', 'invalid', 'refused', 'wrong_address')) {
      return serviceProblem(name, error, host)
    }
  }
  return failed(
    name,
    `What responds at ${host} is not ${label}.`,
    'Correct SHORTLINK_BASE_URL, which is the root of its site, or LINK_SERVICE_KIND.',
  )
}

function judgeStatus(
  name: string,
  host: string,
  status: number,
  location: string | undefined,
): Finding {
  if (status === 401) return ok(name, `It responds at ${host}, and requires an API key.`)
  if (status >= 300 && status < 400 && location !== undefined) {
    const target = URL.parse(location)?.origin ?? 'another path'
    const message = `${host} redirects to ${target}, and keys are not sent there.`
    return failed(name, message, ADDRESS_FIX)
  }
  if (status === 200 || status === 403) {
    return warning(
      name,
      `${host} returns ${status} for a request without a key instead of 401.`,
      'This might not be the link service. Check SHORTLINK_BASE_URL.',
    )
  }
  return unexpectedStatus(name, host, status)
}

function serviceProblem(name: string, error: unknown, host: string): Finding {
  if (!(error instanceof LinkServiceError)) throw error
  if (error instanceof NetworkError || error instanceof TimeoutError) {
    const code = error instanceof NetworkError ? error.code : 'no response in time'
    return failed(
      name,
      `The link service can’t be reached at ${host} (${code}).`,
      'Check that the link service is running, and that this machine can reach it.',
    )
  }
  return unexpectedStatus(name, host, error.status)
}

function unexpectedStatus(name: string, host: string, status = 0): Finding {
  if (status === 429 || status >= 500) {
    return unchecked(
      name,
      `The link service returns status ${status}.`,
      'Run the doctor again in a minute. If it keeps happening, ask the people who run the link service.',
    )
  }
  const shown = status === 0 ? '' : ` (status ${status})`
  return failed(name, `What responds at ${host} is not a link service${shown}.`, ADDRESS_FIX)
}

interface ServiceAccess {
  kind: ServiceKind
  transport: Transport
  baseUrl: string
  signal: AbortSignal
}

async function openService(
  { kind, ...access }: ServiceAccess,
  apiKey: string,
): Promise<LinkService> {
  const create = await DRIVERS[kind].load()
  return create({ ...access, apiKey })
}

export async function checkConfiguredKey(
  access: ServiceAccess,
  { apiKey, domain }: { apiKey: string; domain: string },
): Promise<Finding[]> {
  const fix = 'Copy the key again, or create a new one at the link service.'
  const key = await checkKey(access, 'SHORTLINK_API_KEY', apiKey, fix)
  if (key.status === 'failed') return [key]
  return [key, await checkDomain(access, apiKey, domain)]
}

const connectFix = (): string =>
  `Ask an admin of the workspace to type ${COMMAND} connect and enter a new key.`

export async function checkStoredKeys(
  access: ServiceAccess,
  stored: Stored | undefined,
): Promise<Finding[]> {
  const name = 'Workspaces’ keys'
  if (!stored) return [skipped(name, 'They can’t be read from the database.')]
  const connected = stored.connections.readable.flatMap(({ workspaceId, content }) =>
    content.source === 'disconnected' ? [] : [{ workspaceId, apiKey: content.apiKey }],
  )
  if (connected.length === 0) return [skipped(name, 'No workspace has a key yet.')]
  const works = 'The link service accepts the keys'
  return checkWorkspaces(name, works, connected, async ({ workspaceId, apiKey }) => [
    await checkKey(access, `Key of ${workspaceId}`, apiKey, connectFix()),
  ])
}

/** Limits a call to half of a check’s time, because a check makes up to two. */
function stepOptions(signal: AbortSignal): { operation: Operation; signal: AbortSignal } {
  const operation = createOperation({ clock: systemClock, deadlineMs: STEP_MS, maxRetries: 1 })
  return { operation, signal }
}

async function checkKey(
  access: ServiceAccess,
  name: string,
  apiKey: string,
  fix: string,
): Promise<Finding> {
  try {
    const client = await openService(access, apiKey)
    await client.list({ per_page: 1 }, stepOptions(access.signal))
    return ok(name, 'The link service accepts it.')
  } catch (error) {
    if (failureOf(error, 'unauthorized'))
      return failed(name, 'The link service does not accept it.', fix)
    if (!failureOf(error, ...FORBIDDEN))
      return serviceProblem(name, error, new URL(access.baseUrl).host)
    return warning(
      name,
      'The link service accepts it, but does not let it list links.',
      'Give the key the permission to read links. Without it, Backhalf can’t find a new link if the response to its creation gets lost.',
    )
  }
}

async function checkDomain(
  access: ServiceAccess,
  apiKey: string,
  domain: string,
): Promise<Finding> {
  const name = 'SHORTLINK_DOMAIN'
  try {
    const client = await openService(access, apiKey)
    const complaints = await client.tryDomains?.([domain], stepOptions(access.signal))
    if (!complaints) {
      return skipped(
        name,
        'The link service does not say which domain records it knows. The first link shows whether this one is right.',
      )
    }
    const [problem] = complaints
    return problem === undefined
      ? ok(name, 'The link service knows this domain record.')
      : failed(
          name,
          `The link service does not accept this domain record: ${problem}`,
          'Copy the ID of the domain record from the link service. It is not the hostname.',
        )
  } catch (error) {
    if (!failureOf(error, ...FORBIDDEN)) {
      return serviceProblem(name, error, new URL(access.baseUrl).host)
    }
    return failed(
      name,
      'The key is not allowed to create links, so the domain record could not be tried.',
      'Give the key the permission to create links.',
    )
  }
}

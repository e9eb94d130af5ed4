import {
  failureOf,
  FORBIDDEN,
  LinkServiceError,
  NetworkError,
  TimeoutError,
} from '../port/failures.ts'
import { COMMAND } from '../config/command.ts'
import { DRIVERS } from '../drivers/drivers.ts'
import type { ServiceKind } from '../port/link-service.ts'
import { createOperation } from '../port/operation.ts'
import { createTransport, type Transport } from '../client/transport.ts'
import { parseBaseUrl } from '../contract/endpoints.ts'
import { systemClock } from '../timing/clock.ts'
import {
  failed,
  named,
  ok,
  skipped,
  STEP_MS,
  checkWorkspaces,
  unchecked,
  warning,
  type Result,
} from './check.ts'
import type { StoredData } from './key-checks.ts'

/** Tries to list links with a wrong key, which only a link service refuses with 401 (spec §5). */
export async function checkServiceAddress(kind: ServiceKind, baseUrl: string, signal: AbortSignal) {
  const { host } = new URL(parseBaseUrl(baseUrl))
  const transport = createTransport()
  const access = { kind, transport, baseUrl, signal }
  try {
    await listOneLink(access, 'backhalf-tries-a-wrong-key')
    return [unexpectedStatus(host, 200)]
  } catch (error) {
    if (failureOf(error, 'unauthorized')) {
      const subject = kind === 'backhalf' ? 'It' : DRIVERS[kind].label
      return [ok(`${subject} responds at ${host}, and requires an API key.`)]
    }
    if (failureOf(error, ...FORBIDDEN)) return [unexpectedStatus(host, 403)]
    if (!failureOf(error, 'wrong_address')?.redirects) return [serviceProblem(error, access)]
    const message = `${host} redirects to another address, and keys are not sent there.`
    return [failed(message, 'Set SHORTLINK_BASE_URL to the address that it redirects to.')]
  } finally {
    void transport.close()
  }
}

function unexpectedStatus(host: string, status: number): Result {
  return warning(
    `${host} returns ${status} for a request with a wrong key instead of 401.`,
    'This might not be the link service. Check SHORTLINK_BASE_URL.',
  )
}

function serviceProblem(error: unknown, { kind, baseUrl }: ServiceAccess): Result {
  if (!(error instanceof LinkServiceError)) throw error
  const { host } = new URL(baseUrl)
  if (error instanceof NetworkError || error instanceof TimeoutError) {
    const code = error instanceof NetworkError ? error.code : 'no response in time'
    return failed(
      `The link service can’t be reached at ${host} (${code}).`,
      'Check that the link service is running, and that this machine can reach it.',
    )
  }
  const { status = 0 } = error
  if (status === 429 || status >= 500) {
    return unchecked(
      `The link service returns status ${status}.`,
      'Check again in a minute. If it keeps happening, ask the people who run the link service.',
    )
  }
  const service = kind === 'backhalf' ? 'a link service' : DRIVERS[kind].label
  const statusText = status === 0 ? '' : ` (status ${status})`
  return failed(
    `What responds at ${host} is not ${service}${statusText}.`,
    'Correct SHORTLINK_BASE_URL, to which paths such as /api/v1/… are appended, or LINK_SERVICE_KIND.',
  )
}

interface ServiceAccess {
  kind: ServiceKind
  transport: Transport
  baseUrl: string
  signal: AbortSignal
}

export async function checkConfiguredKey(
  access: ServiceAccess,
  { apiKey, domain }: { apiKey: string; domain: string },
): Promise<Result[]> {
  const fix = 'Copy the key again, or create a new one at the link service.'
  const key = await checkKey(access, apiKey, fix)
  if (key.status === 'failed') return [key]
  return [key, ...named('SHORTLINK_DOMAIN', await checkDomain(access, apiKey, domain))]
}

export async function checkStoredKeys(access: ServiceAccess, stored: StoredData | undefined) {
  if (!stored) return [skipped('The connections can’t be read from the database.')]
  const connected = stored.connections.readable.flatMap(({ workspaceId, content }) =>
    content.source === 'disconnected' ? [] : [{ workspaceId, apiKey: content.apiKey }],
  )
  if (connected.length === 0) return [skipped('No workspace has a key yet.')]
  const message = 'The link service accepts the keys'
  const fix = `Ask an admin of the workspace to type ${COMMAND} connect and enter a new key.`
  return checkWorkspaces(message, connected, async ({ workspaceId, apiKey }) =>
    named(`Key of ${workspaceId}`, await checkKey(access, apiKey, fix)),
  )
}

async function openService({ kind, ...access }: ServiceAccess, apiKey: string) {
  const create = await DRIVERS[kind].load()
  const operation = createOperation({ clock: systemClock, deadlineMs: STEP_MS, maxRetries: 1 })
  return { client: create({ ...access, apiKey }), options: { operation, signal: access.signal } }
}

async function listOneLink(access: ServiceAccess, apiKey: string): Promise<void> {
  const { client, options } = await openService(access, apiKey)
  await client.list({ per_page: 1 }, options)
}

async function checkKey(access: ServiceAccess, apiKey: string, fix: string): Promise<Result> {
  try {
    await listOneLink(access, apiKey)
    return ok('The link service accepts it.')
  } catch (error) {
    if (failureOf(error, 'unauthorized')) return failed('The link service does not accept it.', fix)
    if (!failureOf(error, ...FORBIDDEN)) return serviceProblem(error, access)
    return warning(
      'The link service accepts it, but does not let it list links.',
      'Give the key the permission to read links. Without it, Backhalf can’t find a new link if the response to its creation gets lost.',
    )
  }
}

async function checkDomain(access: ServiceAccess, apiKey: string, domain: string): Promise<Result> {
  try {
    const { client, options } = await openService(access, apiKey)
    const problems = await client.tryDomains?.([domain], options)
    if (!problems) {
      return skipped(
        'The link service does not say which domain records it knows. The first link shows whether this one is right.',
      )
    }
    const [problem] = problems
    if (problem === undefined) return ok('The link service knows this domain record.')
    return failed(
      `The link service does not accept this domain record: ${problem}`,
      'Copy the ID of the domain record from the link service. It is not the hostname.',
    )
  } catch (error) {
    if (!failureOf(error, ...FORBIDDEN)) return serviceProblem(error, access)
    return failed(
      'The key is not allowed to create links, so the domain record could not be tried.',
      'Give the key the permission to create links.',
    )
  }
}

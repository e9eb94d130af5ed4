import { createOperation } from '../client/operation.ts'
import { systemClock } from '../timing/clock.ts'
import { ApiError, LinkServiceError, NetworkError, TimeoutError } from '../client/errors.ts'
import { inParallel } from '../timing/in-parallel.ts'
import { createLinkClient, type LinkClient } from '../client/link-client.ts'
import type { Transport } from '../client/transport.ts'
import { CHECK_MS, failed, ok, skipped, warning, type Finding } from './check.ts'
import type { Stored } from './key-checks.ts'

/** How many workspaces' keys are tried, and how many at a time. */
const [MAX_KEYS, AT_A_TIME] = [20, 4]

/** A record that no service has. Only a service that complains about it shows which records it knows. */
const NO_DOMAIN = 'backhalf-doctor-tries-an-unknown-domain'

const CONNECT_FIX = 'Ask an admin of the workspace to type /shorten connect and enter a new key.'

/** How the doctor asks a link service. */
export interface ServiceAccess {
  transport: Transport
  baseUrl: string
  signal: AbortSignal
}

/** Checks SHORTLINK_API_KEY and SHORTLINK_DOMAIN: it lists one link, and tries the domain without a link. */
export async function checkConfiguredKey(
  access: ServiceAccess,
  { apiKey, domain }: { apiKey: string; domain: string },
): Promise<Finding[]> {
  const client = clientOf(access, apiKey)
  const key = await checkKey(
    client,
    'SHORTLINK_API_KEY',
    'Copy the key again, or create a new one at the link service.',
  )
  if (key.status === 'failed') return [key]
  return [key, await checkDomain(client, domain)]
}

/** Checks the keys of connected workspaces. */
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
  const tried = connected.slice(0, MAX_KEYS)
  const findings = await inParallel(tried, AT_A_TIME, ({ workspaceId, apiKey }) =>
    checkKey(clientOf(access, apiKey), `Key of ${workspaceId}`, CONNECT_FIX),
  )
  const problems = findings.filter(({ status }) => status !== 'ok')
  const working = tried.length - problems.length
  const untried = connected.length - tried.length
  const rest = untried > 0 ? ` ${untried} more were not tried.` : ''
  const message = `The link service accepts the keys of ${working} of ${tried.length} workspaces.${rest}`
  return [
    problems.length === 0 ? ok(name, message) : warning(name, message, 'See the lines below.'),
    ...problems,
  ]
}

function clientOf({ transport, baseUrl, signal }: ServiceAccess, apiKey: string): Asked {
  const client = createLinkClient({ transport, baseUrl, apiKey })
  return { client, signal }
}

interface Asked {
  client: LinkClient
  signal: AbortSignal
}

/** Two calls of a check share the time. */
const operation = () =>
  createOperation({ clock: systemClock, deadlineMs: CHECK_MS / 2 - 500, maxRetries: 1 })

async function checkKey({ client, signal }: Asked, name: string, fix: string): Promise<Finding> {
  try {
    await client.list({ per_page: 1 }, { operation: operation(), signal })
    return ok(name, 'The link service accepts it.')
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      return failed(name, 'The link service does not accept it.', fix)
    }
    if (error instanceof ApiError && error.status === 403) {
      return warning(
        name,
        'The link service accepts it, but does not let it list links.',
        'Give the key the permission to read links. Without it, Backhalf can’t find a link if the answer about it gets lost.',
      )
    }
    return serviceProblem(name, error)
  }
}

async function checkDomain({ client, signal }: Asked, domain: string): Promise<Finding> {
  const name = 'SHORTLINK_DOMAIN'
  const complaint = async (record: string): Promise<string | undefined> =>
    (await client.tryDomain(record, { operation: operation(), signal })).fieldMessages['domain']
  try {
    if ((await complaint(NO_DOMAIN)) === undefined) {
      return skipped(
        name,
        'The link service does not say which domain records it knows. The first link shows whether this one is right.',
      )
    }
    const problem = await complaint(domain)
    return problem === undefined
      ? ok(name, 'The link service knows this domain record.')
      : failed(
          name,
          `The link service does not accept this domain record: ${problem}`,
          'Copy the ID of the domain record from the link service. It is not the hostname.',
        )
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) {
      return failed(
        name,
        'The key is not allowed to make links, so the domain record could not be tried.',
        'Give the key the permission to create links.',
      )
    }
    return serviceProblem(name, error)
  }
}

/** Every failure other than a refused key. */
export function serviceProblem(name: string, error: unknown, host?: string): Finding {
  if (!(error instanceof LinkServiceError)) throw error
  if (error instanceof NetworkError || error instanceof TimeoutError) {
    const code = error instanceof NetworkError ? error.code : 'no answer in time'
    return failed(
      name,
      `The link service can’t be reached${host === undefined ? '' : ` at ${host}`} (${code}).`,
      'Check that the link service is running, and that this machine can reach it.',
    )
  }
  const status = error instanceof ApiError ? error.status : undefined
  if (status !== undefined && (status === 429 || status >= 500)) {
    return warning(
      name,
      `Not checked. The link service answers with status ${status}.`,
      'Run the doctor again in a minute. If it keeps happening, ask the people who run the link service.',
    )
  }
  return failed(
    name,
    `What answers is not a link service${status === undefined ? '' : ` (status ${status})`}.`,
    'Correct SHORTLINK_BASE_URL: paths such as /api/v1/shortlinks/… are appended to it.',
  )
}

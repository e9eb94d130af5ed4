import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { SPECIFICATION, type Capabilities } from '../../port/capabilities.ts'
import { offered, type LinkService } from '../../port/link-service.ts'
import { timeOf } from '../../port/links.ts'
import { failureOf, type FailureKind, LinkServiceError } from '../../port/failures.ts'
import { MAX_WORKSPACE_LENGTH } from '../../contract/extension-calls.ts'
import { encodePerson } from '../../contract/person.ts'
import type { InFlightTasks } from '../../http/in-flight-tasks.ts'
import { createRequestMemory } from '../../http/request-context.ts'
import { within, type Clock } from '../../timing/clock.ts'
import { DAY_MS } from '../../timing/days.ts'
import { hostnameTest, NotConnectedError, type Connection } from '../../workspaces/connection.ts'
import type { ReminderStore } from '../../workspaces/reminders.ts'
import { personId, type Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { cut } from '../block-kit/mrkdwn.ts'
import { createDisplayNames } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { Actor, WorkspaceLinkService } from './links.ts'

/** A key that the link service doesn't accept, or with which it refuses to create links. */
export interface RefusedKey {
  workspaceId: string
  apiKey: string
  error: LinkServiceError
}

interface WorkspaceLinkServiceOptions {
  linkClient: (apiKey: string) => LinkService
  workspaces: Pick<Workspaces, 'connection'>
  reminders: Pick<ReminderStore, 'setExpiry'>
  logger: Logger
  onRefusedKey: (refused: RefusedKey) => void
  clock: Clock
  tasks: InFlightTasks
}

export function createWorkspaceLinkService(
  options: WorkspaceLinkServiceOptions,
): WorkspaceLinkService {
  const { workspaces, linkClient, reminders, logger, onRefusedKey, clock, tasks } = options
  const readCapabilities = createKnownCapabilities({ linkClient, clock, tasks })
  const displayName = createDisplayNames(clock)

  const connections = createRequestMemory<Connection>()

  async function connection(workspace: Workspace): Promise<Connection> {
    const found = connections.get(workspace.id) ?? (await workspaces.connection(workspace))
    if (!found) throw new NotConnectedError()
    connections.set(workspace.id, found)
    return found
  }

  async function call<T>(
    workspace: Workspace,
    send: (client: LinkService, connection: Connection) => Promise<T>,
    refusals: FailureKind[] = ['unauthorized'],
  ): Promise<T> {
    const found = await connection(workspace)
    const { apiKey } = found
    return send(linkClient(apiKey), found).catch((error: unknown) => {
      if (error instanceof LinkServiceError && failureOf(error, ...refusals)) {
        onRefusedKey({ workspaceId: workspace.id, apiKey, error })
      }
      return logAndRethrow(logger, error)
    })
  }

  const knownCapabilities = async (workspace: Workspace): Promise<Capabilities | undefined> =>
    readCapabilities((await connection(workspace)).apiKey)

  const capabilities = async (workspace: Workspace): Promise<Capabilities> =>
    (await knownCapabilities(workspace)) ?? SPECIFICATION

  async function createdBy(actor: Actor): Promise<string | undefined> {
    return (await capabilities(actor.workspace)).createdBy ? encodeActor(actor) : undefined
  }

  /** A workflow has no user, because Slack doesn't say who started it. */
  async function encodeActor(actor: Actor): Promise<string | undefined> {
    const { workspace, userId = 'workflow' } = actor
    const name = actor.userId === undefined ? 'Workflow' : await displayName(actor)
    return encodePerson({ id: personId(workspace.id, userId), name })
  }

  const prepareSignOut: WorkspaceLinkService['prepareSignOut'] = async (
    workspace,
    { userId, role } = {},
  ) => {
    try {
      const found = await workspaces.connection(workspace, { mayProvision: false })
      const known = found && (await readCapabilities(found.apiKey))
      if (!found || known?.signIn === false) return async () => undefined
      const person_id = userId === undefined ? undefined : personId(workspace.id, userId)
      const endSessions = offered(linkClient(found.apiKey).endSessions)
      return () =>
        endSessions({ person_id, role }).catch((error: unknown) => {
          // If the key isn't permitted to sign people in, there are no sessions to end.
          if (!failureOf(error, 'not_permitted')) logAndRethrow(logger, error)
        })
    } catch (error) {
      return async () => logAndRethrow(logger, error) // The caller's work goes on, and only the sign-out fails.
    }
  }

  return {
    connection,
    capabilities,
    knownCapabilities,

    async requireCapabilities(workspace, question) {
      const found = await knownCapabilities(workspace)
      if (found) return found
      throw new SlackInputError(
        `Backhalf couldn’t find out whether the link service ${question}. Try again in a minute.`,
      )
    },

    async create(actor, request, options) {
      const creation = { ...options, createdBy: await createdBy(actor) }
      return call(
        actor.workspace,
        (client, found) =>
          client.create(request, { ...creation, isOnDomain: hostnameTest(found, request.domain) }),
        ['unauthorized', 'not_permitted'],
      )
    },

    list: (workspace, ...args) => call(workspace, (client) => client.list(...args)),
    listDomains: (workspace, ...args) =>
      call(workspace, (client) => offered(client.listDomains)(...args)),
    get: (workspace, ...args) => call(workspace, (client) => offered(client.get)(...args)),

    async remove(actor, name, options) {
      const removal = { ...options, createdBy: await createdBy(actor) }
      return call(actor.workspace, (client) => offered(client.remove)(name, removal))
    },
    clicks: (workspace, ...args) => call(workspace, (client) => offered(client.clicks)(...args)),
    tags: (workspace, ...args) => call(workspace, (client) => offered(client.tags)(...args)),
    report: (workspace, ...args) => call(workspace, (client) => offered(client.report)(...args)),

    async signIn(actor, role, hosts) {
      const { id, name = id } = actor.workspace
      const workspace = cut(name.replaceAll(/\p{Cc}/gu, ' '), MAX_WORKSPACE_LENGTH)
      const person = (await encodeActor(actor)) ?? ''
      const allowed = hosts.length > 0 && { allowed_hosts: hosts.join() }
      return call(actor.workspace, (client) =>
        offered(client.signIn)(person, { role, workspace, ...allowed }),
      )
    },

    prepareSignOut,

    async signOutAfter(workspace, work) {
      const signOut = await prepareSignOut(workspace)
      const result = await work()
      tasks.runInBackground(signOut, 'the sessions of the dashboard could not be ended')
      return result
    },

    async erasePerson(workspace, userId) {
      const known = await knownCapabilities(workspace)
      if (known?.erasePerson === false) return !known.createdBy
      await call(workspace, (client) => offered(client.erasePerson)(personId(workspace.id, userId)))
      return true
    },

    async update(actor, name, changes, options) {
      const { workspace } = actor
      const edit = { ...options, createdBy: await createdBy(actor) }
      const read = await call(workspace, (client) => offered(client.update)(name, changes, edit))
      const { enabled, expires_at } = read.link
      // A link that is turned off needs no reminder.
      const expiry = enabled === false || !expires_at ? undefined : timeOf(expires_at)
      tasks.runInBackground(
        () => reminders.setExpiry(workspace.id, name, expiry),
        'the recorded expiry of a link could not be changed',
      )
      return read
    },
  }
}

function logAndRethrow(logger: Logger, error: unknown): never {
  const { name, message, status, code, requestId } = error as Partial<LinkServiceError>
  // Our own service answers with our request ID. Another service might answer with its own.
  const details = { name, message, status, code, serviceRequestId: requestId }
  logger.warn(details, 'a call to the link service failed')
  throw error
}

const RETRY_AFTER_FAILURE_MS = 60_000
const WAIT_MS = 1_500
const MAX_KEYS = 10_000

/**
 * Returns a function that reads what the link service can do with a key, from a cache for a day. Each process has its
 * own cache, because an update that restarts the app can also update the service. If the service doesn't respond, its
 * last response stays valid. The function waits for 1.5 s at most, and then returns undefined.
 */
export function createKnownCapabilities({
  linkClient,
  clock,
  tasks,
}: Pick<WorkspaceLinkServiceOptions, 'linkClient' | 'clock' | 'tasks'>) {
  const cache = new LRUCache<string, { capabilities: Capabilities | undefined }>({
    max: MAX_KEYS,
    ttl: DAY_MS,
    ttlResolution: 0,
    perf: clock,
    allowStale: true,
    fetchMethod: (apiKey, stale, { options }) =>
      tasks.track(async () => {
        const capabilities = await linkClient(apiKey).readCapabilities()
        if (!capabilities) options.ttl = RETRY_AFTER_FAILURE_MS
        return { capabilities: capabilities ?? stale?.capabilities }
      }),
  })

  return async (apiKey: string): Promise<Capabilities | undefined> =>
    (await within(clock, WAIT_MS, cache.fetch(apiKey)))?.value?.capabilities
}

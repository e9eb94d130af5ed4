import type { Logger } from 'pino'
import { SPECIFICATION, type Capabilities } from '../../port/capabilities.ts'
import {
  offered,
  type CallOptions,
  type CreateOptions,
  type LinkQuery,
  type LinkService,
  type SignInAddress,
} from '../../port/link-service.ts'
import { timeOf } from '../../port/links.ts'
import { failureOf, type FailureKind, LinkServiceError } from '../../port/failures.ts'
import { type DashboardRole, MAX_WORKSPACE_LENGTH } from '../../contract/extension-calls.ts'
import type { CreateRequest } from '../../contract/link-requests.ts'
import { encodePerson } from '../../contract/person.ts'
import type { InFlightTasks } from '../../http/in-flight-tasks.ts'
import { createRequestMemory } from '../../http/request-context.ts'
import { hostnameTest, NotConnectedError, type Connection } from '../../workspaces/connection.ts'
import type { ReminderStore } from '../../workspaces/reminders.ts'
import { personId, type Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { cut } from '../block-kit/mrkdwn.ts'
import { createDisplayNames, type Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { createKnownCapabilities, type KnownCapabilitiesOptions } from './known-capabilities.ts'

/** The user or workflow that makes a change. */
type Actor = Pick<Caller, 'client' | 'workspace' | 'userId' | 'userName'>

/** A key that the link service doesn't accept, or with which it refuses to create links. */
export interface RefusedKey {
  workspaceId: string
  apiKey: string
  error: LinkServiceError
}

type Args<M extends keyof LinkService> = Parameters<Required<LinkService>[M]>
type Result<M extends keyof LinkService> = ReturnType<Required<LinkService>[M]>

type Call<M extends keyof LinkService> = (workspace: Workspace, ...args: Args<M>) => Result<M>

type Change<M extends keyof LinkService> = (actor: Actor, ...args: Args<M>) => Result<M>

/**
 * The link service that a workspace is connected to. Every link service has `create` and `list`; use the other calls
 * only if the capabilities say so. Each call throws a LinkServiceError if it fails, and a NotConnectedError if the
 * workspace isn't connected.
 */
export interface WorkspaceLinkService {
  connection: (workspace: Workspace) => Promise<Connection>
  /** Waits up to 1.5 s, and returns the specification's capabilities if the service's aren't known by then. */
  capabilities: (workspace: Workspace) => Promise<Capabilities>
  /** Like `capabilities`, but returns undefined if the service's capabilities aren't known. */
  knownCapabilities: (workspace: Workspace) => Promise<Capabilities | undefined>
  /**
   * Like `capabilities`, but throws a SlackInputError if the service's capabilities aren't known.
   * @param question completes its text: “Backhalf couldn’t find out whether the link service has reports.”
   */
  requireCapabilities(workspace: Workspace, question: string): Promise<Capabilities>
  create(
    actor: Actor,
    request: CreateRequest,
    options: Pick<CreateOptions, 'idempotencyKey' | 'operation' | 'allowsDuplicate'>,
  ): Result<'create'>
  list(workspace: Workspace, query: LinkQuery, options?: CallOptions): Result<'list'>
  listDomains: Call<'listDomains'>
  get: Call<'get'>
  update: Change<'update'>
  remove: Change<'remove'>
  clicks: Call<'clicks'>
  tags: Call<'tags'>
  report: Call<'report'>
  signIn(actor: Actor, role: DashboardRole, hosts: readonly string[]): Promise<SignInAddress>
  /**
   * Returns a function that ends sessions of the link service's dashboard: those of one user or role, or all. It uses
   * the workspace's present key, so it works even if that key is replaced or deleted before the call.
   */
  prepareSignOut(
    workspace: Workspace,
    sessions?: { userId?: string | undefined; role?: DashboardRole | undefined },
  ): Promise<() => Promise<void>>
  /** Runs `work`, which replaces or deletes the workspace's key, and then signs everyone out in the background. */
  signOutAfter<T>(workspace: Workspace, work: () => Promise<T>): Promise<T>
  /** @returns false if the service stores who created links, but can't erase that */
  erasePerson(workspace: Workspace, userId: string): Promise<boolean>
}

interface WorkspaceLinkServiceOptions extends KnownCapabilitiesOptions {
  workspaces: Pick<Workspaces, 'connection'>
  reminders: Pick<ReminderStore, 'setExpiry'>
  logger: Logger
  onRefusedKey: (refused: RefusedKey) => void
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

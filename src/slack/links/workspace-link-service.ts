import type { Logger } from 'pino'
import { isAboutPermission } from '../../drivers/backhalf/conflict.ts'
import { ApiError } from '../../port/failures.ts'
import type {
  CallOptions,
  LinkClient,
  LinkDetails,
  LinkQuery,
  SignInAddress,
} from '../../drivers/backhalf/link-client.ts'
import type { Operation } from '../../port/operation.ts'
import { timeOf } from '../../client/json.ts'
import { type DashboardRole, MAX_WORKSPACE_LENGTH } from '../../contract/extension-calls.ts'
import type { CreateRequest } from '../../contract/link-requests.ts'
import { NO_OFFERS } from '../../port/capabilities.ts'
import { encodePerson, type Person } from '../../contract/person.ts'
import type { InFlightTasks } from '../../http/in-flight-tasks.ts'
import { createRequestMemory } from '../../http/request-context.ts'
import { hostnameTest, NotConnectedError, type Connection } from '../../workspaces/connection.ts'
import type { ReminderStore } from '../../workspaces/reminders.ts'
import { personId, type Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { cut } from '../block-kit/mrkdwn.ts'
import type { Caller } from '../platform/caller.ts'
import { createDisplayNames } from '../platform/slack-users.ts'
import {
  createKnownOffers,
  type KnownOffers,
  type KnownOffersOptions,
} from './known-capabilities.ts'

/** On whose behalf a link is made, changed or deleted. */
type Actor = Pick<Caller, 'client' | 'workspace' | 'userId' | 'userName'>

/** The link service refused a workspace's key, or what every key should be allowed to do. */
export interface RefusedKey {
  workspaceId: string
  apiKey: string
  error: ApiError
}

/**
 * The link service that a workspace is connected to. Only `create` and `list` are offered by every link service; use the
 * others only if `offers` says so. Each throws a LinkServiceError, or a NotConnectedError.
 */
export type LinkService = ReturnType<typeof createLinkService>

export function createLinkService({
  workspaces,
  linkClient,
  reminders,
  logger,
  onRefusedKey,
  clock,
  tasks,
}: KnownOffersOptions & {
  workspaces: Pick<Workspaces, 'connection'>
  /** The record of when links expire, which changes with them. */
  reminders: Pick<ReminderStore, 'setExpiry'>
  logger: Logger
  onRefusedKey: (refused: RefusedKey) => void
  tasks: InFlightTasks
}) {
  const knownOffers = createKnownOffers({ linkClient, clock, tasks })
  const displayName = createDisplayNames(clock)

  /** The user sees an explanation. The log has the details for the person who runs the app. */
  function logAndRethrow(error: unknown): never {
    const { name, message, status, code, requestId } = error as Partial<ApiError>
    // Our own service answers with our request ID. Another service may answer with its own.
    const details = { name, message, status, code, serviceRequestId: requestId }
    logger.warn(details, 'a call to the link service failed')
    throw error
  }

  const connections = createRequestMemory<Connection>()

  async function connection(workspace: Workspace): Promise<Connection> {
    const found = connections.get(workspace.id) ?? (await workspaces.connection(workspace))
    if (!found) throw new NotConnectedError()
    connections.set(workspace.id, found)
    return found
  }

  async function call<T>(
    workspace: Workspace,
    make: (client: LinkClient, connection: Connection) => Promise<T>,
    isRefusal: (error: ApiError) => boolean = ({ status }) => status === 401,
  ): Promise<T> {
    const found = await connection(workspace)
    const { apiKey } = found
    return make(linkClient(apiKey), found).catch((error: unknown) => {
      if (error instanceof ApiError && isRefusal(error)) {
        onRefusedKey({ workspaceId: workspace.id, apiKey, error })
      }
      return logAndRethrow(error)
    })
  }

  async function offers(workspace: Workspace): Promise<KnownOffers> {
    return knownOffers((await connection(workspace)).apiKey)
  }

  /** Who acts, for a service that stores this. */
  async function madeBy(actor: Actor): Promise<string | undefined> {
    return (await offers(actor.workspace)).madeBy ? person(actor) : undefined
  }

  async function person(actor: Actor): Promise<string | undefined> {
    const { workspace, userId } = actor
    if (userId === undefined) return encodePerson(workflowOf(workspace))
    return encodePerson({ id: personId(workspace.id, userId), name: await displayName(actor) })
  }

  /**
   * Prepares to sign people out of the dashboard who opened it from the workspace: everyone, or one user.
   *
   * @param role of the sessions that end; undefined: any
   * @returns signs them out, also if the workspace has lost its key meanwhile
   */
  async function signOut(
    workspace: Workspace,
    { userId, role }: { userId?: string | undefined; role?: DashboardRole | undefined } = {},
  ): Promise<() => Promise<void>> {
    try {
      const found = await workspaces.connection(workspace, { provisions: false })
      const { signIn, isUnknown }: KnownOffers = found ? await knownOffers(found.apiKey) : NO_OFFERS
      if (!found || !(signIn || isUnknown)) return async () => undefined
      const person_id = userId === undefined ? undefined : personId(workspace.id, userId)
      return () =>
        linkClient(found.apiKey)
          .endSessions({ person_id, role })
          .catch((error: unknown) => {
            // No one is signed in through a key that may not sign people in.
            if (error instanceof ApiError && isAboutPermission(error)) return
            logAndRethrow(error)
          })
    } catch (error) {
      return async () => logAndRethrow(error)
    }
  }

  type Args<M extends keyof LinkClient> = Parameters<LinkClient[M]>

  return {
    connection,

    /**
     * Which calls beyond the specification the link service offers, as far as is known. This waits up to a second
     * and a half if nothing is known yet, so call it only after the acknowledgement.
     */
    offers,

    /** @param operation what the call is part of; by default, it is an operation of its own */
    async create(
      actor: Actor,
      request: CreateRequest,
      idempotencyKey: string,
      operation?: Operation,
    ) {
      const create = { idempotencyKey, operation, madeBy: await madeBy(actor) }
      return call(
        actor.workspace,
        (client, found) =>
          client.create(request, { ...create, isOnDomain: hostnameTest(found, request.domain) }),
        (error) => error.status === 401 || isAboutPermission(error),
      )
    },

    list: (workspace: Workspace, query: LinkQuery, options?: CallOptions) =>
      call(workspace, (client) => client.list(query, options)),
    listDomains: (workspace: Workspace, ...args: Args<'listDomains'>) =>
      call(workspace, (client) => client.listDomains(...args)),
    get: (workspace: Workspace, ...args: Args<'get'>) =>
      call(workspace, (client) => client.get(...args)),
    async remove(actor: Actor, ...[name, given]: Args<'remove'>) {
      const removal = { ...given, madeBy: await madeBy(actor) }
      return call(actor.workspace, (client) => client.remove(name, removal))
    },
    clicks: (workspace: Workspace, ...args: Args<'clicks'>) =>
      call(workspace, (client) => client.clicks(...args)),
    tags: (workspace: Workspace, ...args: Args<'tags'>) =>
      call(workspace, (client) => client.tags(...args)),
    report: (workspace: Workspace, ...args: Args<'report'>) =>
      call(workspace, (client) => client.report(...args)),

    async signIn(actor: Actor, role: DashboardRole): Promise<SignInAddress> {
      const { id, name = id } = actor.workspace
      const workspace = cut(name.replaceAll(/\p{Cc}/gu, ' '), MAX_WORKSPACE_LENGTH)
      const header = (await person(actor)) ?? ''
      return call(actor.workspace, (client) => client.signIn(header, { role, workspace }))
    },

    signOut,

    /** Does what replaces or deletes the workspace's key, and then signs everyone out in the background. */
    async signOutAfter<T>(workspace: Workspace, work: () => Promise<T>): Promise<T> {
      const signOutNow = await signOut(workspace)
      const result = await work()
      tasks.runInBackground(signOutNow, 'the sessions of the dashboard could not be ended')
      return result
    },

    /**
     * Erases who a user is at the link service.
     *
     * @returns false if the service is told who acts, but can't erase it
     */
    async erasePerson(workspace: Workspace, userId: string): Promise<boolean> {
      const { erasePerson, isUnknown, madeBy } = await offers(workspace)
      if (!erasePerson && !isUnknown) return !madeBy
      await call(workspace, (client) => client.erasePerson(personId(workspace.id, userId)))
      return true
    },

    async update(actor: Actor, ...[name, changes, given]: Args<'update'>) {
      const { workspace } = actor
      const edit = { ...given, madeBy: await madeBy(actor) }
      const read = await call(workspace, (client) => client.update(name, changes, edit))
      tasks.runInBackground(
        () => reminders.setExpiry(workspace.id, name, expiryOf(read.link)),
        'the recorded expiry of a link could not be changed',
      )
      return read
    },
  }
}

/** Stands for the person if a workflow acts, because Slack doesn't say who started it. */
function workflowOf({ id }: Workspace): Person {
  return { id: personId(id, 'workflow'), name: 'Workflow' }
}

/** Milliseconds since 1970; undefined if the link doesn't expire, or is turned off. */
function expiryOf({ enabled, expires_at: text }: LinkDetails): number | undefined {
  return text === undefined || enabled === false ? undefined : timeOf(text)
}

import type { Logger } from 'pino'
import { SPECIFICATION, type Capabilities } from '../../port/capabilities.ts'
import type {
  CallOptions,
  CreateOptions,
  LinkService,
  LinkQuery,
  SignInAddress,
} from '../../port/link-service.ts'
import { type LinkDetails, timeOf } from '../../port/links.ts'
import { failureOf, type FailureKind, LinkServiceError } from '../../port/failures.ts'
import { type DashboardRole, MAX_WORKSPACE_LENGTH } from '../../contract/extension-calls.ts'
import type { CreateRequest } from '../../contract/link-requests.ts'
import { encodePerson, type Person } from '../../contract/person.ts'
import type { InFlightTasks } from '../../http/in-flight-tasks.ts'
import { createRequestMemory } from '../../http/request-context.ts'
import { hostnameTest, NotConnectedError, type Connection } from '../../workspaces/connection.ts'
import type { ReminderStore } from '../../workspaces/reminders.ts'
import { personId, type Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { cut } from '../block-kit/mrkdwn.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { createDisplayNames } from '../platform/slack-users.ts'
import { createKnownCapabilities, type KnownCapabilitiesOptions } from './known-capabilities.ts'

/** On whose behalf a link is made, changed or deleted. */
type Actor = Pick<Caller, 'client' | 'workspace' | 'userId' | 'userName'>

/** The link service refused a workspace's key, or what every key should be allowed to do. */
export interface RefusedKey {
  workspaceId: string
  apiKey: string
  error: LinkServiceError
}

/**
 * The link service that a workspace is connected to. Every link service can `create` and `list`; use the other calls only if
 * the capabilities say so. Each throws a LinkServiceError, or a NotConnectedError.
 */
export type WorkspaceLinkService = ReturnType<typeof createWorkspaceLinkService>

export function createWorkspaceLinkService({
  workspaces,
  linkClient,
  reminders,
  logger,
  onRefusedKey,
  clock,
  tasks,
}: KnownCapabilitiesOptions & {
  workspaces: Pick<Workspaces, 'connection'>
  /** The record of when links expire, which changes with them. */
  reminders: Pick<ReminderStore, 'setExpiry'>
  logger: Logger
  onRefusedKey: (refused: RefusedKey) => void
  tasks: InFlightTasks
}) {
  const knownCapabilities = createKnownCapabilities({ linkClient, clock, tasks })
  const displayName = createDisplayNames(clock)

  /** The user sees an explanation. The log has the details for the person who runs the app. */
  function logAndRethrow(error: unknown): never {
    const { name, message, status, code, requestId } = error as Partial<LinkServiceError>
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
    make: (client: LinkService, connection: Connection) => Promise<T>,
    refusals: FailureKind[] = ['unauthorized'],
  ): Promise<T> {
    const found = await connection(workspace)
    const { apiKey } = found
    return make(linkClient(apiKey), found).catch((error: unknown) => {
      if (error instanceof LinkServiceError && failureOf(error, ...refusals)) {
        onRefusedKey({ workspaceId: workspace.id, apiKey, error })
      }
      return logAndRethrow(error)
    })
  }

  const known = async (workspace: Workspace): Promise<Capabilities | undefined> =>
    knownCapabilities((await connection(workspace)).apiKey)

  const capabilities = async (workspace: Workspace): Promise<Capabilities> =>
    (await known(workspace)) ?? SPECIFICATION

  /** Who acts, for a service that stores this. */
  async function madeBy(actor: Actor): Promise<string | undefined> {
    return (await capabilities(actor.workspace)).madeBy ? person(actor) : undefined
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
      if (!found || (await knownCapabilities(found.apiKey))?.signIn === false)
        return async () => undefined
      const person_id = userId === undefined ? undefined : personId(workspace.id, userId)
      return () =>
        offered(linkClient(found.apiKey).endSessions)({ person_id, role }).catch(
          (error: unknown) => {
            // No one is signed in through a key that may not sign people in.
            if (failureOf(error, 'not_permitted')) return
            logAndRethrow(error)
          },
        )
    } catch (error) {
      return async () => logAndRethrow(error)
    }
  }

  type Args<M extends keyof LinkService> = Parameters<Required<LinkService>[M]>

  return {
    connection,

    /**
     * What the link service can do: as long as nothing is known yet, only what every service can. This waits up to a
     * second and a half for the first answer, so call it only after the acknowledgement.
     */
    capabilities,

    /** The same, but undefined if nothing is known yet. */
    known,

    /** The same, but if nothing is known yet, it can't be said that the service lacks something. @throws SlackInputError */
    async certain(workspace: Workspace, question: string): Promise<Capabilities> {
      const found = await known(workspace)
      if (found) return found
      throw new SlackInputError(
        `Backhalf couldn’t find out whether the link service ${question}. Try again in a minute.`,
      )
    },

    /** @param operation what the call is part of; by default, it is an operation of its own */
    async create(
      actor: Actor,
      request: CreateRequest,
      given: Pick<CreateOptions, 'idempotencyKey' | 'operation' | 'allowsDuplicate'>,
    ) {
      const create = { ...given, madeBy: await madeBy(actor) }
      return call(
        actor.workspace,
        (client, found) =>
          client.create(request, { ...create, isOnDomain: hostnameTest(found, request.domain) }),
        ['unauthorized', 'not_permitted'],
      )
    },

    list: (workspace: Workspace, query: LinkQuery, options?: CallOptions) =>
      call(workspace, (client) => client.list(query, options)),
    listDomains: (workspace: Workspace, ...args: Args<'listDomains'>) =>
      call(workspace, (client) => offered(client.listDomains)(...args)),
    get: (workspace: Workspace, ...args: Args<'get'>) =>
      call(workspace, (client) => offered(client.get)(...args)),
    async remove(actor: Actor, ...[name, given]: Args<'remove'>) {
      const removal = { ...given, madeBy: await madeBy(actor) }
      return call(actor.workspace, (client) => offered(client.remove)(name, removal))
    },
    clicks: (workspace: Workspace, ...args: Args<'clicks'>) =>
      call(workspace, (client) => offered(client.clicks)(...args)),
    tags: (workspace: Workspace, ...args: Args<'tags'>) =>
      call(workspace, (client) => offered(client.tags)(...args)),
    report: (workspace: Workspace, ...args: Args<'report'>) =>
      call(workspace, (client) => offered(client.report)(...args)),

    /** @param hosts the only ones to which the person may make links lead; empty: any */
    async signIn(
      actor: Actor,
      role: DashboardRole,
      hosts: readonly string[],
    ): Promise<SignInAddress> {
      const { id, name = id } = actor.workspace
      const workspace = cut(name.replaceAll(/\p{Cc}/gu, ' '), MAX_WORKSPACE_LENGTH)
      const header = (await person(actor)) ?? ''
      return call(actor.workspace, (client) =>
        offered(client.signIn)(header, {
          ...{ role, workspace },
          ...(hosts.length > 0 && { allowed_hosts: hosts.join() }),
        }),
      )
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
      const found = await known(workspace)
      if (found?.erasePerson === false) return !found.madeBy
      await call(workspace, (client) => offered(client.erasePerson)(personId(workspace.id, userId)))
      return true
    },

    async update(actor: Actor, ...[name, changes, given]: Args<'update'>) {
      const { workspace } = actor
      const edit = { ...given, madeBy: await madeBy(actor) }
      const read = await call(workspace, (client) => offered(client.update)(name, changes, edit))
      tasks.runInBackground(
        () => reminders.setExpiry(workspace.id, name, expiryOf(read.link)),
        'the recorded expiry of a link could not be changed',
      )
      return read
    },
  }
}

/** An optional call that the capabilities promise. */
function offered<Call>(call: Call | undefined): Call {
  if (call === undefined) throw new Error('the driver lacks a call that it declares')
  return call
}

/** Stands for the person if a workflow acts, because Slack doesn't say who started it. */
function workflowOf({ id }: Workspace): Person {
  return { id: personId(id, 'workflow'), name: 'Workflow' }
}

/** Milliseconds since 1970; undefined if the link doesn't expire, or is turned off. */
function expiryOf({ enabled, expires_at: text }: LinkDetails): number | undefined {
  return text === undefined || enabled === false ? undefined : timeOf(text)
}

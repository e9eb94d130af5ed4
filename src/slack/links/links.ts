import type { StackedChart } from '../../chart/stacked-chart.ts'
import type { DashboardRole } from '../../contract/extension-calls.ts'
import type { CreateRequest } from '../../contract/link-requests.ts'
import type { ImageFile } from '../../contract/preview-image.ts'
import { SPECIFICATION, type Capabilities } from '../../port/capabilities.ts'
import type {
  CallOptions,
  CreateOptions,
  LinkQuery,
  LinkService,
  SignInAddress,
} from '../../port/link-service.ts'
import type { ListedLink } from '../../port/links.ts'
import type { Connection } from '../../workspaces/connection.ts'
import type { CreatedLinks } from '../../workspaces/created-links.ts'
import type { LinkApprovals } from '../../workspaces/link-approvals.ts'
import type { RecentUtm } from '../../workspaces/settings.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { ListPosition } from '../block-kit/list-position.ts'
import type { Notice } from '../block-kit/notices.ts'
import type { Caller } from '../platform/caller.ts'
import type { DrawnPictures, QrSource } from '../platform/pictures.ts'
import type { Platform } from '../platform/platform.ts'
import type { UploadedFile } from '../platform/slack-files.ts'

/** What features use to find, read and change the links of a workspace. */
export interface Links {
  linkService: WorkspaceLinkService
  permissions: Permissions
  mostUsedTags: (workspace: Workspace) => Promise<string[]>
  qrSource: QrSource
  chartSource: DrawnPictures<StackedChart>
  createdLinks: Pick<CreatedLinks, 'find' | 'list'>
  homeTab: HomeTab
}

export interface LinkPlatform extends Platform, Links {}

export interface ShortenPlatform extends LinkPlatform {
  createdLinks: CreatedLinks
  recentUtm: RecentUtm
  linkApprovals: LinkApprovals
  fetchPreviewImage: (caller: Caller, image: UploadedFile) => Promise<ImageFile>
}

/** The app's Home tab, where each user sees the links of the workspace. */
export interface HomeTab {
  /**
   * Shows a page of the list in the caller's tab.
   * @param isEmpty true if the tab shows nothing yet. It then shows the connection until the link service has responded
   */
  turnTo(caller: Caller, position: ListPosition, isEmpty?: boolean): Promise<void>
  /** Redraws the user's Home tab if this process has drawn it before. Never rejects. @returns true if it was redrawn */
  refresh(caller: Caller, notice?: Notice): Promise<boolean>
}

/** The user or workflow that makes a change. */
export type Actor = Pick<Caller, 'client' | 'workspace' | 'userId' | 'userName'>

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

/** What the user can do with the links on a page, and who created them. */
export interface DrawnRights {
  capabilities: Capabilities
  /** The short URLs of the links that the user can change. */
  changeable: ReadonlySet<string>
  /** By short URL: the Slack user who created the link, if the app has recorded that. */
  creators: ReadonlyMap<string, string | undefined>
}

export const NO_RIGHTS: DrawnRights = {
  capabilities: SPECIFICATION,
  changeable: new Set(),
  creators: new Map(),
}

/**
 * Checks who can create, see and change links, according to the workspace's settings. A check throws a SlackInputError
 * if the user can't do this. It also throws if Slack doesn't say whether the user is an admin or a guest. Otherwise, a
 * failure of Slack would switch the rules off.
 */
export interface Permissions {
  /** True if `checkMayShorten` and `checkMaySee` have to ask Slack about the user, which takes time. */
  dependsOnRank: (caller: Caller) => Promise<boolean>
  isAdmin: (caller: Caller) => Promise<boolean>
  checkMayShorten: (caller: Caller) => Promise<void>
  checkMaySee: (caller: Caller) => Promise<void>
  /** Guests and people of other companies can't approve links, whatever channel they are in. */
  checkMayApprove: (caller: Caller) => Promise<void>
  /**
   * Checks whether the user can edit, turn off, turn on or delete a link. Unless the settings allow everyone, only
   * admins and the person who created the link can change it. So only admins can change the links of workflows and of
   * people who have left.
   */
  checkMayChange: (caller: Caller, link: { name: string; shortUrl: string }) => Promise<void>
  /**
   * @throws GuestError if the user is a guest, even one who can shorten links, because the dashboard shows all links
   */
  dashboardRole: (caller: Caller) => Promise<DashboardRole>
  /**
   * Finds out which links on a page the user can change, for the links' menus. Never rejects: if Slack doesn't say
   * whether the user is an admin, the user counts as a member.
   */
  readRights: (caller: Caller, links: readonly CheckedLink[]) => Promise<DrawnRights>
}

type CheckedLink = Pick<ListedLink, 'name' | 'shortlink_url' | 'created_by'>

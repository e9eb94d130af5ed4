import type { ChartPictures } from '../../chart/chart-pictures.ts'
import type { StackedChart } from '../../chart/stacked-chart.ts'
import type { ImageFile } from '../../contract/preview-image.ts'
import type { LinkService } from '../../port/link-service.ts'
import type { CreatedLinks } from '../../workspaces/created-links.ts'
import type { LinkApprovals } from '../../workspaces/link-approvals.ts'
import type { ReminderStore } from '../../workspaces/reminders.ts'
import type { RecentUtm } from '../../workspaces/settings.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import type { ListPosition } from '../block-kit/list-position.ts'
import type { Notice } from '../block-kit/notices.ts'
import type { Caller } from '../platform/caller.ts'
import type { QrLinks } from '../platform/picture-links.ts'
import {
  createQrSource,
  type DrawnPictures,
  type PictureAccess,
  type QrSource,
} from '../platform/pictures.ts'
import type { Platform } from '../platform/platform.ts'
import type { UploadedFile } from '../platform/slack-files.ts'
import { createChartSource, type ChartLinks } from './chart-links.ts'
import {
  createWorkspaceLinkService,
  type RefusedKey,
  type WorkspaceLinkService,
} from './workspace-link-service.ts'
import { createMostUsedTags } from './most-used-tags.ts'
import { createPermissions, type Permissions } from './permissions.ts'

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

interface LinksOptions extends Pick<PictureAccess, 'publicUrl'> {
  workspaces: Workspaces
  createdLinks: CreatedLinks
  reminders: ReminderStore
  linkClient: (apiKey: string) => LinkService
  qrLinks: QrLinks
  chartLinks: ChartLinks
  charts: Pick<ChartPictures, 'draw'>
  onRefusedKey: (refused: RefusedKey) => void
}

export function createLinks(platform: Platform, options: LinksOptions): Omit<Links, 'homeTab'> {
  const linkService = createWorkspaceLinkService({ ...platform, ...options })
  const sources = { ...platform, ...options, linkService }
  return {
    linkService,
    permissions: createPermissions(sources),
    mostUsedTags: createMostUsedTags(platform.clock, linkService),
    qrSource: createQrSource({ ...sources, capabilities: linkService.capabilities }),
    chartSource: createChartSource(sources),
    createdLinks: options.createdLinks,
  }
}

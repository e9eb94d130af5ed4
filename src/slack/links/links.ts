import type { StackedChart } from '../../chart/stacked-chart.ts'
import type { ImageFile } from '../../contract/preview-image.ts'
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
import type { WorkspaceLinkService } from './workspace-link-service.ts'
import type { Permissions } from './permissions.ts'

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

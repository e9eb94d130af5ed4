import type { LinkService } from '../../port/link-service.ts'
import type { CreatedLinks } from '../../workspaces/created-links.ts'
import type { ReminderStore } from '../../workspaces/reminders.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import type { Notice } from '../block-kit/notices.ts'
import type { Caller } from '../platform/caller.ts'
import type { QrLinks } from '../platform/picture-links.ts'
import { createQrPictures, type PictureAccess } from '../platform/pictures.ts'
import type { Platform } from '../platform/platform.ts'
import { createLinkLists } from './link-lists.ts'
import { createWorkspaceLinkService, type RefusedKey } from './workspace-link-service.ts'
import { createMostUsedTags } from './most-used-tags.ts'
import { createPermissions } from './permissions.ts'

export type Links = ReturnType<typeof createLinks> & { homeTab: HomeTabUpdates }

interface HomeTabUpdates {
  /** Never rejects. Returns whether the tab shows the notice. */
  refresh(caller: Caller, notice?: Notice): Promise<boolean>
}

interface LinksOptions extends Pick<PictureAccess, 'publicUrl'> {
  workspaces: Workspaces
  createdLinks: CreatedLinks
  reminders: ReminderStore
  linkClient: (apiKey: string) => LinkService
  qrLinks: QrLinks
  onRefusedKey: (refused: RefusedKey) => void
}

export function createLinks(platform: Platform, options: LinksOptions) {
  const given = { ...platform, ...options }
  const linkService = createWorkspaceLinkService(given)
  const createdLinks: Pick<CreatedLinks, 'find'> = options.createdLinks
  return {
    linkService,
    linkLists: createLinkLists({ ...given, linkService }),
    permissions: createPermissions({ ...given, linkService }),
    mostUsedTags: createMostUsedTags(platform.clock, linkService),
    qrPictures: createQrPictures({ ...given, capabilities: linkService.capabilities }),
    createdLinks,
  }
}

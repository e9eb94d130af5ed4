import type { ImageFile } from '../../contract/preview-image.ts'
import type { CreatedLinks } from '../../workspaces/created-links.ts'
import type { LinkApprovals } from '../../workspaces/link-approvals.ts'
import type { RecentUtm } from '../../workspaces/settings.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import type { UploadedFile } from '../platform/slack-files.ts'

export interface ShortenPlatform extends LinkPlatform {
  createdLinks: CreatedLinks
  recentUtm: RecentUtm
  linkApprovals: LinkApprovals
  fetchPreviewImage: (caller: Caller, image: UploadedFile) => Promise<ImageFile>
}

import type { Logger } from 'pino'
import type { SettingsStore } from '../workspaces/settings.ts'
import type { Admission } from './admission.ts'
import type { Checklists } from './checklists.ts'
import type { Connector } from './connector.ts'
import type { DuplicateViews } from './duplicate-views.ts'
import type { Duplicates } from './duplicates.ts'
import type { Removal } from './installing/removal.ts'
import type { Homes } from './homes.ts'
import type { ListedLinks } from './listed-links.ts'
import type { LinkBatches } from './link-batches.ts'
import type { LinkRecord } from './link-record.ts'
import type { Links } from './links.ts'
import type { Replies } from './replies.ts'
import type { Shortener } from './shortener.ts'
import type { ShortenForms } from './shorten-forms.ts'
import type { Sharing } from './sharing.ts'
import type { Unfurls } from './unfurls.ts'
import type { ViewOpener } from './view-opener.ts'
import type { QrPictures } from './qr-pictures.ts'
import type { SettingsDesk } from './settings/desk.ts'
import type { Work } from './work.ts'
import type { WorkflowStep } from './workflow-step.ts'

/** What the listeners work with. */
export interface Deps {
  logger: Logger
  work: Work
  settings: SettingsStore
  desk: SettingsDesk
  links: Links
  listedLinks: ListedLinks
  homes: Homes
  sharing: Sharing
  admission: Admission
  shortener: Shortener
  forms: ShortenForms
  checklists: Checklists
  batches: LinkBatches
  linkRecord: LinkRecord
  duplicates: Duplicates
  duplicateViews: DuplicateViews
  connector: Connector
  removal: Removal
  replies: Replies
  qrPictures: QrPictures
  unfurls: Unfurls
  views: ViewOpener
  workflowStep: WorkflowStep
}

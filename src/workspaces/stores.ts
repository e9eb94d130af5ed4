import { createAlertStore, type AlertStore } from './alerts.ts'
import { createCreatedLinkStore, type CreatedLinks } from './created-links.ts'
import { createDeliveryStore, type DeliveryStore } from './deliveries.ts'
import { createImports, type Imports } from './imports.ts'
import { createInstallations, type Installations } from './installations.ts'
import { createKeyNoticeStore, type KeyNoticeStore } from './key-notices.ts'
import { createLinkApprovals, type LinkApprovals } from './link-approvals.ts'
import { createReminderStore, type ReminderStore } from './reminders.ts'
import {
  createRecentUtm,
  createSettingsStore,
  type RecentUtm,
  type SettingsStore,
} from './settings.ts'
import { createWorkspaces, type Workspaces, type WorkspacesOptions } from './workspaces.ts'

export interface Stores {
  workspaces: Workspaces
  installations: Installations
  settings: SettingsStore
  recentUtm: RecentUtm
  createdLinks: CreatedLinks
  reminders: ReminderStore
  alerts: AlertStore
  imports: Imports
  linkApprovals: LinkApprovals
  keyNotices: KeyNoticeStore
  deliveryStore: DeliveryStore
}

export function createStores(options: WorkspacesOptions): Stores {
  return {
    workspaces: createWorkspaces(options),
    installations: createInstallations(options),
    settings: createSettingsStore(options),
    recentUtm: createRecentUtm(options),
    createdLinks: createCreatedLinkStore(options),
    reminders: createReminderStore(options),
    alerts: createAlertStore(options),
    imports: createImports(options),
    linkApprovals: createLinkApprovals(options),
    keyNotices: createKeyNoticeStore(options),
    deliveryStore: createDeliveryStore(options),
  }
}

import { createAlertStore } from './alerts.ts'
import { createCreatedLinkStore } from './created-links.ts'
import { createDeliveryStore } from './deliveries.ts'
import { createImports } from './imports.ts'
import { createInstallations } from './installations.ts'
import { createKeyNoticeStore } from './connection-store.ts'
import { createLinkApprovals } from './link-approvals.ts'
import { createReminderStore } from './reminders.ts'
import { createRecentUtm, createSettingsStore } from './settings.ts'
import { createWorkspaces, type WorkspacesOptions } from './workspaces.ts'

export type Stores = ReturnType<typeof createStores>

export function createStores(options: WorkspacesOptions) {
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

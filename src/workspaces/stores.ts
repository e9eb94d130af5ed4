import { createDeliveryStore, type DeliveryStore } from './deliveries.ts'
import { createInstallations, type Installations } from './installations.ts'
import { createKeyNoticeStore, type KeyNoticeStore } from './key-notices.ts'
import { createMadeLinks, type MadeLinks } from './made-links.ts'
import { createRecentUtm, type RecentUtm } from './recent-utm.ts'
import { createReminderStore, type ReminderStore } from './reminders.ts'
import { createSettingsStore, type SettingsStore } from './settings.ts'
import { createWorkspaces, type Workspaces, type WorkspacesOptions } from './workspaces.ts'

/** Everything that the app stores. */
export interface Stores {
  workspaces: Workspaces
  installations: Installations
  settings: SettingsStore
  recentUtm: RecentUtm
  madeLinks: MadeLinks
  reminders: ReminderStore
  keyNotices: KeyNoticeStore
  deliveryStore: DeliveryStore
}

export function createStores(options: WorkspacesOptions): Stores {
  return {
    workspaces: createWorkspaces(options),
    installations: createInstallations(options),
    settings: createSettingsStore(options),
    recentUtm: createRecentUtm(options),
    madeLinks: createMadeLinks(options),
    reminders: createReminderStore(options),
    keyNotices: createKeyNoticeStore(options),
    deliveryStore: createDeliveryStore(options),
  }
}

import type { Database } from '../../src/database/database.ts'
import { TEAM } from '../../src/simulator/workspace/seeds.ts'
import {
  createSettingsStore,
  DEFAULT_SETTINGS,
  type Settings,
} from '../../src/workspaces/settings.ts'
import { openDatabase } from './open-database.ts'

/**
 * The settings of the simulated workspace, changed directly in the app's database.
 *
 * @param databaseUrl the URL of the database of an app that has started
 */
export function createTestSettings(databaseUrl: () => string) {
  let opened: Database | undefined
  return {
    /** Replaces the settings. Those that are not given get their defaults. */
    async set(settings: Partial<Settings>): Promise<void> {
      opened ??= await openDatabase(databaseUrl())
      const store = createSettingsStore({ database: opened })
      await store.update(TEAM.id, 'U0ADMIN', () => ({ ...DEFAULT_SETTINGS, ...settings }))
    },
    async close(): Promise<void> {
      await opened?.close()
      opened = undefined
    },
  }
}

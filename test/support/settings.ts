import { openDatabase } from '../../src/database/database.ts'
import { TEAM } from '../../src/simulator/workspace/seeds.ts'
import {
  createSettingsStore,
  DEFAULT_SETTINGS,
  type Settings,
} from '../../src/workspaces/settings.ts'
import { makeTempDir } from './temp-dir.ts'

/** The settings of the simulated workspace, changed directly in the app's database. */
export interface TestSettings {
  /** For the app's configuration. */
  databaseUrl: string
  /** Replaces the settings. Those that are not given get their defaults. */
  set(settings: Partial<Settings>): Promise<void>
  /** To be called after the app has stopped. */
  close(): Promise<void>
}

export async function openTestSettings(): Promise<TestSettings> {
  const directory = await makeTempDir()
  const databaseUrl = `file:${directory.path}/backhalf.db`
  const database = await openDatabase(databaseUrl)
  const store = createSettingsStore({ database })
  return {
    databaseUrl,
    async set(settings) {
      await store.update(TEAM.id, 'U0ADMIN', () => ({ ...DEFAULT_SETTINGS, ...settings }))
    },
    async close() {
      await database.close()
      await directory.remove()
    },
  }
}

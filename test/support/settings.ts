import { openDatabase } from '../../src/database/database.ts'
import { TEAM } from '../../src/simulator/workspace/seeds.ts'
import {
  createSettingsStore,
  DEFAULT_SETTINGS,
  type Settings,
} from '../../src/workspaces/settings.ts'
import { makeTempDir } from './temp-dir.ts'

/** What the admins of the simulated workspace decided, written as another process would. */
export interface TestSettings {
  /** For the app's configuration. */
  databaseUrl: string
  /** Everything else is as nobody had decided anything. */
  set(settings: Partial<Settings>): Promise<void>
  /** Once the app has stopped. */
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

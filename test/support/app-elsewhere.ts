import type { Config } from '../../src/config.ts'
import { startApp, type TestApp } from './app.ts'
import {
  created,
  startForeignService,
  type Answering,
  type ForeignService,
} from './fake-link-service.ts'

/** The app in front of a link service that is not ours. */
export interface AppElsewhere extends TestApp {
  service: ForeignService
}

/**
 * Starts the app in front of a link service that answers as the test says, connected to it with
 * `key-1` and `dom_1` unless told otherwise (`fallback`).
 */
export async function startAppElsewhere(
  answering: Answering = () => created(),
  config: Partial<Config> = {},
): Promise<AppElsewhere> {
  const service = await startForeignService(answering)
  const app = await startApp({
    config: {
      linkService: { kind: 'outside', baseUrl: service.baseUrl },
      fallback: { apiKey: 'key-1', domain: 'dom_1' },
      ...config,
    },
  })
  return {
    ...app,
    service,
    async stop() {
      await app.stop()
      await service.close()
    },
  }
}

import type { Logger } from 'pino'
import type { Clock } from '../../src/timing/clock.ts'
import type { Config } from '../../src/config/config.ts'
import { startApp, type TestApp } from './app.ts'
import {
  type Answer,
  created,
  startFakeLinkService,
  type Responder,
  type FakeLinkService,
} from './fake-link-service.ts'

/** The app in front of a link service that is not ours. */
export interface AppElsewhere extends TestApp {
  service: FakeLinkService
}

/**
 * Starts the app in front of a link service that answers as the test says, connected to it with
 * `key-1` and `dom_1` unless told otherwise (`fallback`).
 */
export async function startAppElsewhere(
  answering: Responder = () => created(),
  config: Partial<Config> = {},
  clock?: Clock,
  document?: Answer,
  logger?: Logger,
): Promise<AppElsewhere> {
  const service = await startFakeLinkService(answering)
  // Before the app starts, because it asks at once.
  if (document) service.describes(document)
  const app = await startApp({
    config: {
      linkService: { kind: 'external', baseUrl: service.baseUrl },
      fallback: { apiKey: 'key-1', domain: 'dom_1' },
      ...config,
    },
    clock,
    ...(logger && { logger }),
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

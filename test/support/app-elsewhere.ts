import type { ServiceKind } from '../../src/port/link-service.ts'
import { startApp, type AppOptions } from './app.ts'
import { created, startFakeLinkService, type Answer, type Responder } from './fake-link-service.ts'

/** The app in front of a link service that is not ours. */
export type AppElsewhere = Awaited<ReturnType<typeof startAppElsewhere>>

export interface ElsewhereOptions extends AppOptions {
  /** By default, a service that follows the specification. */
  kind?: ServiceKind
  /** By default, the service answers each request as a successful create. */
  answers?: Responder
  /** The service’s OpenAPI document. By default, it has none. */
  document?: Answer | undefined
}

/**
 * Starts the app in front of a link service that answers as the test says, connected to it with
 * `key-1` and `dom_1` unless told otherwise (`fallback`).
 */
export async function startAppElsewhere({
  kind = 'backhalf',
  answers = () => created(),
  document,
  config = {},
  ...options
}: ElsewhereOptions = {}) {
  const service = await startFakeLinkService(answers)
  // Before the app starts, because it asks at once.
  if (document) service.describes(document)
  const app = await startApp({
    config: {
      linkService: { kind: 'external', service: kind, baseUrl: service.baseUrl },
      fallback: { apiKey: 'key-1', domain: 'dom_1' },
      ...config,
    },
    ...options,
  })
  return {
    ...app,
    service,
    async stop(): Promise<void> {
      await app.stop()
      await service.close()
    },
  }
}

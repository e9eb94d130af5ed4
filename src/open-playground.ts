import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { readManifest } from './slack/install/manifest.ts'
import { playgroundPlugin } from './playground/plugin.ts'
import { createSimulatedWorkspace } from './simulator/simulated-workspace.ts'

/** A local stand-in for a Slack workspace, mounted on the app's own server. */
export interface Playground {
  /** Below which path it is served. */
  path: string
  /** What its requests are signed with, and the token that it accepts: made anew at every start. */
  signingSecret: string
  botToken: string
  /** Where it sends what people do. */
  connectApp(eventsUrl: string): void
}

/**
 * Mounts the playground; the app connects once it listens.
 *
 * @param unfurlDomains hostnames whose links are unfurled, which here may be `localhost`
 */
export async function openPlayground(
  server: FastifyInstance,
  unfurlDomains: readonly string[],
): Promise<Playground> {
  const path = '/playground'
  const signingSecret = randomBytes(32).toString('hex')
  const botToken = `xoxb-${randomBytes(24).toString('hex')}`
  const manifest = readManifest(unfurlDomains)
  const workspace = createSimulatedWorkspace({ manifest, signingSecret, botToken })
  await server.register(playgroundPlugin, { prefix: path, workspace })
  return { path, signingSecret, botToken, connectApp: (url) => workspace.connectApp(url) }
}

import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { playgroundUnfurlDomains } from '../config/unfurl-domains.ts'
import type { Playground } from '../playground/open-playground.ts'
import { readManifest } from '../slack/install/manifest.ts'
import type { UsedLinkService } from './start-link-service.ts'

/** The path below which the playground is served. */
export const PLAYGROUND_PATH = '/playground'

/** Serves the playground, if the configuration asks for it. */
export async function startPlayground(
  config: Config,
  server: FastifyInstance,
  { builtIn, hosts }: UsedLinkService,
): Promise<Playground | undefined> {
  if (config.slack.mode !== 'playground') return undefined
  const { openPlayground } = await import('../playground/open-playground.ts')
  return openPlayground(server, {
    path: PLAYGROUND_PATH,
    manifest: readManifest(playgroundUnfurlDomains({ ...config, hosts })),
    dashboardLink: builtIn && (async () => builtIn.url + (await builtIn.createSignInLink())),
  })
}

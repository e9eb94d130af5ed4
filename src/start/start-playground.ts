import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { playgroundUnfurlDomains } from '../config/unfurl-domains.ts'
import type { Playground } from '../playground/open-playground.ts'
import { readManifest } from '../slack/install/manifest.ts'
import type { UsedLinkService } from './start-link-service.ts'

export const PLAYGROUND_PATH = '/playground'

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

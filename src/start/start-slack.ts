import type { Config } from '../config/config.ts'
import type { Playground } from '../playground/open-playground.ts'
import type { Service } from '../service/server.ts'
import { createSlackApp, type SlackAppOptions } from '../slack/app.ts'
import { botScopes } from '../slack/install/manifest.ts'
import type { Installations } from '../workspaces/installations.ts'
import { createStores } from '../workspaces/stores.ts'
import type { WorkspacesOptions } from '../workspaces/workspaces.ts'
import type { StartContext } from './start-context.ts'
import type { Storage } from './start-database.ts'
import type { UsedLinkService } from './start-link-service.ts'
import { PLAYGROUND_PATH, type Pictures, type SlackState } from './start-server.ts'

interface SlackParts {
  storage: Storage
  linkService: UsedLinkService
  pictures: Pictures
  playground: Playground | undefined
  appUrl: string
}

/** If the first attempt fails, it returns, and tries again in the background. */
export async function startSlack(context: StartContext, parts: SlackParts, state: SlackState) {
  const { config, logger, clock, metrics, stopping, onStop } = context
  const { storage, linkService, pictures, playground, appUrl } = parts
  const stores = createStores({
    database: storage.database,
    installedByOAuth: 'oauth' in config.slack,
    keyring: storage.keyring,
    serviceHosts: linkService.hosts,
    now: () => clock.now(),
    ...keySource(config, linkService.builtIn),
  })
  const firstProblem = Promise.withResolvers<undefined>()
  const connecting = createSlackApp({
    ...slackAccess(config, stores.installations, playground, appUrl),
    ...stores,
    ...pictures,
    keyring: storage.keyring,
    linkClient: linkService.clientFor,
    serviceKind: linkService.foreign,
    serviceUrl: linkService.builtIn ? config.servicePublicUrl : linkService.baseUrl,
    publicUrl: config.publicUrl ?? (playground && appUrl),
    operator: config.operator,
    hasMcp: config.slackMcp,
    clock,
    logger,
    metrics: metrics?.slack(),
    stopping,
    onSlackProblem(variable, reason) {
      state.problems.delete(variable)
      if (reason === undefined) return
      state.problems.set(variable, reason)
      firstProblem.resolve(undefined)
    },
  }).then((app) => {
    state.app = app
    playground?.connectApp(`${appUrl}/slack/events`)
    return app
  })
  onStop(() => connecting.catch(() => undefined))
  const app = await Promise.race([connecting, firstProblem.promise])
  if (app) return { waitingForSlack: undefined }
  const waitingForSlack = connecting.then(
    () => undefined,
    (err: unknown) => {
      if (!stopping.aborted) logger.error({ err }, 'the app can’t answer Slack; restart it')
    },
  )
  return { waitingForSlack }
}

function keySource(
  { fallback }: Config,
  service: Service | undefined,
): Pick<WorkspacesOptions, 'fallback' | 'provision' | 'withdraw'> {
  if (fallback) {
    const { apiKey, domain } = fallback
    return { fallback: { apiKey, domains: [{ name: domain, domain_name: domain }] } }
  }
  if (!service) return {}
  return {
    provision: ({ id, name = id }) => service.provision({ id, name }),
    withdraw: (id) => service.withdraw(id),
  }
}

function slackAccess(
  { slack, unfurlDomains, slackMcp }: Config,
  installations: Installations,
  playground: Playground | undefined,
  appUrl: string,
): Pick<SlackAppOptions, 'source' | 'tokens' | 'apiUrl' | 'reachesLoopback'> {
  if (slack.mode === 'playground') {
    if (!playground) throw new Error('the playground was not opened')
    const { signingSecret, botToken } = playground
    return {
      source: { mode: 'http', signingSecret },
      tokens: { botToken },
      apiUrl: `${appUrl}${PLAYGROUND_PATH}/api/`,
      reachesLoopback: true,
    }
  }
  const { apiUrl } = slack
  const tokens =
    'oauth' in slack
      ? { oauth: slack.oauth, scopes: botScopes(unfurlDomains, slackMcp), installations }
      : { botToken: slack.botToken }
  return { source: slack, tokens, apiUrl }
}

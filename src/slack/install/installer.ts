import type { IncomingMessage, ServerResponse } from 'node:http'
import { LogLevel } from '@slack/bolt'
import { InstallProvider } from '@slack/oauth'
import { WebClient, type WebClientOptions } from '@slack/web-api'
import type { Logger } from 'pino'
import {
  installedIn,
  type Installation,
  type Installations,
} from '../../workspaces/installations.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { welcome } from '../blocks/welcome.ts'
import type { Work } from '../work.ts'
import { installFailure } from '../installing/failure.ts'
import { failurePage, installedPage, installPage } from '../installing/pages.ts'

/** What Slack gave the deployment to install the app with, for any number of workspaces. */
export interface OAuthCredentials {
  readonly clientId: string
  readonly clientSecret: string
  /** Signs what an installation carries through the browser. */
  readonly stateSecret: string
}

/** Answers a request by itself. */
export type InstallStep = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Installs the app, by two pages. */
export interface Installer {
  /** `/slack/install`: the page with the button that leads to Slack. */
  readonly begin: InstallStep
  /** `/slack/oauth_redirect`: where Slack sends the browser back to. */
  readonly finish: InstallStep
}

export interface InstallerOptions {
  credentials: OAuthCredentials
  /** The bot scopes to ask for, as manifest.yml has them. */
  scopes: readonly string[]
  /** Where the world reaches the app; else Slack takes the first redirect URL of its settings. */
  publicUrl: string | undefined
  apiUrl: string
  clientOptions: Omit<WebClientOptions, 'logger' | 'logLevel'>
  installations: Installations
  workspaces: Pick<Workspaces, 'connection'>
  work: Work
  logger: Logger
}

const silent = (): void => undefined

/** InstallProvider writes every visitor's stale link as an error: what is worth a line is ours. */
const NO_LOG = {
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  setLevel: silent,
  setName: silent,
  getLevel: () => LogLevel.ERROR,
}

/** Slack's own InstallProvider, with our pages and our database. */
export function createInstaller(options: InstallerOptions): Installer {
  const { credentials, scopes, publicUrl, apiUrl, clientOptions, installations, logger } = options

  async function greet(installation: Installation): Promise<void> {
    const { bot, enterprise, team, user } = installation
    const workspace = { id: installedIn(installation), name: team?.name ?? enterprise?.name }
    const connected = await options.workspaces.connection(workspace).then(
      (connection) => connection !== undefined,
      () => true, // What keeps it from being known is told when somebody makes a link.
    )
    const client = new WebClient(bot.token, clientOptions)
    await client.chat.postMessage({ channel: user.id, ...welcome(connected) })
  }

  const provider = new InstallProvider({
    ...credentials,
    authorizationUrl: new URL('/oauth/v2/authorize', apiUrl).href,
    clientOptions,
    logger: NO_LOG,
    installUrlOptions: {
      scopes: [...scopes],
      ...(publicUrl && { redirectUri: `${publicUrl.replace(/\/$/, '')}/slack/oauth_redirect` }),
    },
    renderHtmlForInstallPath: installPage,
    installationStore: {
      async storeInstallation(given) {
        const installation = given as Installation
        const before = await installations.installedBy(installedIn(installation))
        await installations.save(installation)
        if (before === installation.user.id) return // Who installs again was greeted before.
        options.work
          .track(() => greet(installation))
          .catch((err: unknown) => logger.warn({ err }, 'the welcome message was not sent'))
      },
      // InstallProvider would read it to authorize requests, which src/slack/authorize.ts does.
      fetchInstallation: () => Promise.reject(new Error('installations are read elsewhere')),
    },
  })

  function fail(error: Error, request: IncomingMessage, response: ServerResponse): void {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const failure = installFailure(error, searchParams.get('error'))
    if (failure !== 'cancelled' && failure !== 'stale') {
      logger.error({ err: error }, 'an installation failed')
    }
    const { status, html } = failurePage(failure)
    send(response, status, html)
  }

  return {
    async begin(request, response) {
      await provider
        .handleInstallPath(request, response)
        .catch((error: unknown) => fail(asError(error), request, response))
    },
    async finish(request, response) {
      await options.work.track(() =>
        provider.handleCallback(request, response, {
          success: (installation) =>
            send(response, 200, installedPage(installation as Installation)),
          failure: (error) => fail(error, request, response),
        }),
      )
    },
  }
}

function send(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
  response.end(html)
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

import { InstallProvider } from '@slack/oauth'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pino, type Logger } from 'pino'
import type { OAuthCredentials } from '../../config/slack-config.ts'
import { withoutSlash } from '../../contract/endpoints.ts'
import type { InFlightTasks } from '../../http/in-flight-tasks.ts'
import { createLogLimit } from '../../http/log-limit.ts'
import { inRequest } from '../../http/request-context.ts'
import { addSecurityHeaders, type HtmlPage, sendPage } from '../../web/pages.ts'
import type { Installations, NewInstallation } from '../../workspaces/installations.ts'
import { boltLogger } from '../platform/slack-client.ts'
import {
  failurePage,
  INSTALL_LAYOUT,
  installedPage,
  installFailure,
  notReadyPage,
} from './pages.ts'
import { welcome, type WelcomeOptions } from './welcome.ts'

/** Installs the app by OAuth. `start` redirects the browser to Slack, and `finish` stores the token from Slack. */
export type Installer = Record<
  'start' | 'finish',
  (request: IncomingMessage, response: ServerResponse) => Promise<void>
>

export interface OAuthSetup {
  oauth: OAuthCredentials
  scopes: readonly string[]
  installations: Installations
}

export interface InstallerOptions extends WelcomeOptions {
  publicUrl: string | undefined // if undefined, Slack uses the first redirect URL in the app's settings
  apiUrl: string
  tasks: InFlightTasks
  logger: Logger
}

export function createInstaller(options: InstallerOptions & OAuthSetup): Installer {
  const { oauth, scopes, publicUrl, apiUrl, clientOptions, installations, logger } = options
  const provider = new InstallProvider({
    ...oauth,
    authorizationUrl: new URL('/oauth/v2/authorize', apiUrl).href,
    clientOptions,
    // InstallProvider would log every visitor's expired link as an error, so `fail` logs what matters instead.
    logger: boltLogger(pino({ enabled: false })),
    installUrlOptions: {
      scopes: [...scopes],
      ...(publicUrl && { redirectUri: `${withoutSlash(publicUrl)}/slack/oauth_redirect` }),
    },
    directInstall: true, // Slack's Marketplace requires it. `/` of the app has the button.
    installationStore: {
      async storeInstallation(granted) {
        const installation = granted as NewInstallation
        const isNew = await installations.save(installation)
        options.tasks.runInBackground(
          () => welcome(options, installation, isNew),
          'the welcome message could not be sent',
        )
      },
      // InstallProvider calls this only to authorize requests, which authorize.ts does.
      fetchInstallation: () => Promise.reject(new Error('authorize.ts reads installations')),
    },
  })

  // Anyone can open the page to which Slack redirects, so repeated failures are not all logged.
  const logLimit = createLogLimit(logger)
  function fail(error: Error, request: IncomingMessage, response: ServerResponse): void {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const failure = installFailure(error, searchParams.get('error'))
    if (failure === 'failed') {
      logLimit.write(failure, () => logger.error({ err: error }, 'an installation failed'))
    }
    const { status, page } = failurePage(failure)
    send(response, status, page)
  }

  return {
    start: (request, response) =>
      provider
        .handleInstallPath(request, response)
        .catch((error: unknown) => fail(error as Error, request, response)),
    finish: (request, response) =>
      options.tasks.track(() =>
        provider.handleCallback(request, response, {
          success: (installation) =>
            send(response, 200, installedPage(installation as NewInstallation)),
          failure: (error) => fail(error, request, response),
        }),
      ),
  }
}

function send(response: ServerResponse, status: number, { html }: HtmlPage): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
  response.end(html)
}

export function installRoutes(installer: () => Installer | undefined): FastifyPluginAsync {
  return async (scope) => {
    const handle =
      (step: keyof Installer) => async (request: FastifyRequest, reply: FastifyReply) => {
        const ready = installer()
        if (!ready) return sendPage(reply, 503, notReadyPage(), 'no-store')
        addSecurityHeaders(reply, INSTALL_LAYOUT.policy)
        reply.raw.setHeader('cache-control', 'no-store')
        reply.hijack()
        await inRequest(() => ready[step](request.raw, reply.raw))
        return reply
      }
    scope.get('/slack/install', handle('start'))
    scope.get('/slack/oauth_redirect', handle('finish'))
  }
}

import { InstallProvider } from '@slack/oauth'
import { WebClient, type WebClientOptions } from '@slack/web-api'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pino, type Logger } from 'pino'
import type { OAuthCredentials } from '../../config/slack-config.ts'
import { withoutSlash } from '../../contract/endpoints.ts'
import type { InFlightTasks } from '../../http/in-flight-tasks.ts'
import { createLogLimit } from '../../http/log-limit.ts'
import { inRequest } from '../../http/request-context.ts'
import type { HtmlPage } from '../../web/layout.ts'
import { addSecurityHeaders, sendPage } from '../../web/send-page.ts'
import {
  installationId,
  type Installations,
  type NewInstallation,
} from '../../workspaces/installations.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { actions, button, context, section, type MessageContent } from '../block-kit/elements.ts'
import { mention } from '../block-kit/mrkdwn.ts'
import { ACTIONS, COMMAND } from '../ids.ts'
import { boltLogger } from '../platform/slack-client.ts'
import {
  failurePage,
  INSTALL_LAYOUT,
  installedPage,
  installFailure,
  notReadyPage,
} from './pages.ts'

export type Installer = ReturnType<typeof createInstaller>

interface InstallerOptions {
  credentials: OAuthCredentials
  scopes: readonly string[]
  /** Without it, Slack uses the first redirect URL in the app's settings. */
  publicUrl: string | undefined
  apiUrl: string
  clientOptions: Omit<WebClientOptions, 'logger' | 'logLevel'>
  installations: Installations
  workspaces: Pick<Workspaces, 'connection'>
  tasks: InFlightTasks
  logger: Logger
}

export function createInstaller(options: InstallerOptions) {
  const { credentials, scopes, publicUrl, apiUrl, clientOptions, installations, logger } = options

  async function greet(installation: NewInstallation, isNew: boolean): Promise<void> {
    const { bot, enterprise, team, user } = installation
    const workspace = { id: installationId(installation), name: team?.name ?? enterprise?.name }
    const connected = await options.workspaces.connection(workspace).then(
      (connection) => connection !== undefined,
      () => true, // The user sees the error when they make a link.
    )
    const client = new WebClient(bot.token, clientOptions)
    await client.chat.postMessage({
      channel: user.id,
      ...welcomeMessage(user.id, { connected, isNew }),
    })
  }

  const provider = new InstallProvider({
    ...credentials,
    authorizationUrl: new URL('/oauth/v2/authorize', apiUrl).href,
    clientOptions,
    // It logs every visitor's expired link as an error. We log what matters ourselves.
    logger: boltLogger(pino({ enabled: false })),
    installUrlOptions: {
      scopes: [...scopes],
      ...(publicUrl && { redirectUri: `${withoutSlash(publicUrl)}/slack/oauth_redirect` }),
    },
    directInstall: true, // Slack's Marketplace requires it. `/` of the app has the button.
    installationStore: {
      async storeInstallation(given) {
        const installation = given as NewInstallation
        const isNew = await installations.save(installation)
        options.tasks.runInBackground(
          () => greet(installation, isNew),
          'the welcome message could not be sent',
        )
      },
      // InstallProvider calls this only to authorize requests, which authorize.ts does.
      fetchInstallation: () => Promise.reject(new Error('authorize.ts reads installations')),
    },
  })

  // Anyone can open the page that Slack redirects to.
  const limit = createLogLimit(logger)
  function fail(error: Error, request: IncomingMessage, response: ServerResponse): void {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const failure = installFailure(error, searchParams.get('error'))
    if (failure === 'failed') {
      limit.write(failure, () => logger.error({ err: error }, 'an installation failed'))
    }
    const { status, page } = failurePage(failure)
    send(response, status, page)
  }

  return {
    async start(request: IncomingMessage, response: ServerResponse): Promise<void> {
      await provider
        .handleInstallPath(request, response)
        .catch((error: unknown) => fail(asError(error), request, response))
    },
    async finish(request: IncomingMessage, response: ServerResponse): Promise<void> {
      await options.tasks.track(() =>
        provider.handleCallback(request, response, {
          success: (installation) =>
            send(response, 200, installedPage(installation as NewInstallation)),
          failure: (error) => fail(error, request, response),
        }),
      )
    },
  }
}

function send(response: ServerResponse, status: number, { html }: HtmlPage): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
  response.end(html)
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

function welcomeMessage(
  userId: string,
  { connected, isNew }: { connected: boolean; isNew: boolean },
): MessageContent {
  const thanks = `Thank you for installing Backhalf${isNew ? '' : ' again'}, ${mention(userId)}.`
  const command = connected ? `${COMMAND} https://example.com` : `${COMMAND} connect`
  const next = connected
    ? `${isNew ? 'Make your first short link now' : 'Its settings are as they were. Shorten a link'}, or type this in any conversation:`
    : 'Before the first link, an admin connects this workspace to your link service. To do that, type this in any conversation:'
  return {
    text: `${thanks} Next: type ${command}`,
    blocks: [
      section(`*${thanks}* ${next} \`${command}\``),
      ...(connected
        ? actions([button('Shorten a link', ACTIONS.openForm, { style: 'primary' })])
        : []),
      context(`\`${COMMAND} help\` shows what else you can do. Only you see this message.`),
    ],
  }
}

/** @param installer undefined while the app starts or stops */
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

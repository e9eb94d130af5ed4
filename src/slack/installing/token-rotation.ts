import { setTimeout as sleep } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import type { Logger } from 'pino'
import type { Installations, Installed, RenewedTokens } from '../../workspaces/installations.ts'
import { slackErrorCode } from '../slack-error-code.ts'
import type { Work } from '../work.ts'
import { NotInstalledError } from './not-installed-error.ts'

/** How long before a token ends it is refreshed, in milliseconds. Slack's tokens live 12 hours. */
const REFRESH_MS = 2 * 60 * 60 * 1000

/** A token that ends so soon is not used any more, in milliseconds. */
const ENDING_MS = 60_000

/** Slack's code for a refresh token that was used before, or went with an installation. */
const SPENT = 'invalid_refresh_token'

/** How long another process may take to keep what it was given, in milliseconds, look by look. */
const LOOK_AFTER_MS = [0, 150, 350, 700]

/** Keeps bot tokens fresh that Slack lets end: each refresh token works once. */
export interface TokenRotation {
  /**
   * The installation with a token that works: refreshed where it had to be. While the old one
   * still works nobody waits for the new one.
   *
   * @throws NotInstalledError when the app was uninstalled meanwhile, or Slack will never give it
   *   another token; Slack's error when it gives none just now
   */
  current(workspaceId: string, installed: Installed): Promise<Installed>
}

export function createTokenRotation({
  installations,
  client,
  clientId,
  clientSecret,
  work,
  logger,
  now = Date.now,
  pause = sleep,
}: {
  installations: Installations
  /** Without a token. */
  client: WebClient
  clientId: string
  clientSecret: string
  work: Work
  logger: Logger
  /** Milliseconds since 1970. */
  now?: () => number
  pause?: (ms: number) => Promise<unknown>
}): TokenRotation {
  const underWay = new Map<string, Promise<Installed>>()
  /** What Slack gave for a refresh token and the database did not take: there is no second one. */
  const unsaved = new Map<string, RenewedTokens>()

  async function askSlack(spent: string): Promise<RenewedTokens> {
    const answer = await client.oauth.v2.access({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'refresh_token',
      refresh_token: spent,
    })
    const { access_token: token, refresh_token: refreshToken, expires_in: seconds } = answer
    if (!token || !refreshToken || !seconds) throw new Error('Slack refreshed a token with none')
    return { token, refreshToken, expiresAt: Math.floor(now() / 1000) + seconds }
  }

  /** What another process kept that was first to use this refresh token, and may just be keeping. */
  async function keptElsewhere(id: string, spent: string): Promise<Installed> {
    for (const ms of LOOK_AFTER_MS) {
      await pause(ms)
      const since = await installations.find(id)
      if (!since) throw new NotInstalledError()
      if (since.bot.refreshToken !== spent) return since
    }
    throw new NotInstalledError('Slack does not take the refresh token any more')
  }

  async function refresh(id: string, installed: Installed, spent: string): Promise<Installed> {
    let tokens: RenewedTokens
    try {
      tokens = unsaved.get(spent) ?? (await askSlack(spent))
    } catch (error) {
      if (slackErrorCode(error) === SPENT) return keptElsewhere(id, spent)
      throw error
    }
    unsaved.set(spent, tokens)
    try {
      const kept = await installations.renew(id, spent, tokens)
      unsaved.delete(spent)
      if (kept) return { ...installed, bot: { ...installed.bot, ...tokens } }
    } catch (err) {
      logger.error({ err }, 'a refreshed Slack token was not kept; the next request tries again')
      return { ...installed, bot: { ...installed.bot, ...tokens } }
    }
    const since = await installations.find(id)
    if (!since) throw new NotInstalledError()
    return since
  }

  return {
    async current(id, installed) {
      const { refreshToken, expiresAt } = installed.bot
      if (refreshToken === undefined || expiresAt === undefined) return installed
      const leftMs = expiresAt * 1000 - now()
      if (leftMs > REFRESH_MS) return installed
      const running =
        underWay.get(refreshToken) ??
        work
          .track(() => refresh(id, installed, refreshToken))
          .finally(() => underWay.delete(refreshToken))
      underWay.set(refreshToken, running)
      if (leftMs <= ENDING_MS) return running
      running.catch((err: unknown) => logger.warn({ err }, 'a Slack token could not be refreshed'))
      return installed
    },
  }
}

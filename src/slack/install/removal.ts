import type { WebClient } from '@slack/web-api'
import type { Logger } from 'pino'
import type { Installations } from '../../workspaces/installations.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { slackErrorCode } from '../platform/slack-errors.ts'

/** Slack's codes for a token that will never work again. */
const ENDED_CODES = ['account_inactive', 'token_revoked', 'invalid_auth']

/**
 * Deletes everything about a workspace that uninstalls the app, unless it has installed the app again since. Several events
 * report one uninstall, in any order: the first deletes, and the others find nothing.
 *
 * @param at the time of the uninstall in seconds since 1970, as in events
 */
export type Removal = (workspaceId: string, at: number) => Promise<void>

export function createRemoval({
  workspaces,
  installations,
  client,
  logger,
}: {
  workspaces: Pick<Workspaces, 'forget'>
  /** Absent if one bot token is configured. */
  installations: Installations | undefined
  /** Without a token. */
  client: WebClient
  logger: Logger
}): Removal {
  async function stillWorks(token: string): Promise<boolean> {
    return client.auth.test({ token }).then(
      () => true,
      (error: unknown) => !ENDED_CODES.includes(slackErrorCode(error) ?? ''),
    )
  }

  /**
   * The time before which an installation must have happened to be the one that was removed, in
   * milliseconds since 1970. Events only have seconds, so Slack is asked about an installation in the same
   * second.
   */
  async function installedBefore(workspaceId: string, at: number): Promise<number> {
    // If an installation can't be decrypted, Slack can't be asked about it, and the app can't use it anyway.
    const installed = await installations?.find(workspaceId).catch(() => undefined)
    const before = at * 1000
    if (!installed || installed.installedAt < before) return before
    return (await stillWorks(installed.bot.token)) ? before : installed.installedAt + 1
  }

  return async (workspaceId, at) => {
    const before = installations && (await installedBefore(workspaceId, at))
    const deleted = await workspaces.forget(workspaceId, before)
    logger.info(
      { workspaceId },
      deleted
        ? 'a workspace uninstalled the app: its data is deleted'
        : 'a workspace uninstalled the app and installed it again: its data is kept',
    )
  }
}

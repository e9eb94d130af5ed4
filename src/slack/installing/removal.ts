import type { WebClient } from '@slack/web-api'
import type { Logger } from 'pino'
import type { Installations } from '../../workspaces/installations.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { slackErrorCode } from '../slack-error-code.ts'

/** Slack's codes for a token that has ended for good. */
const ENDED = ['account_inactive', 'token_revoked', 'invalid_auth']

/** What follows when the app is taken out of a workspace. */
export interface Removal {
  /**
   * Deletes everything of the workspace, unless the app was installed there again since. Several
   * events tell of one removal, in any order: the first deletes, the others find nothing.
   *
   * @param at when it was taken out, in seconds since 1970, as events have it
   */
  removed(workspaceId: string, at: number): Promise<void>
}

export function createRemoval({
  workspaces,
  installations,
  client,
  logger,
}: {
  workspaces: Pick<Workspaces, 'forget'>
  /** Absent where one bot token is configured. */
  installations: Installations | undefined
  /** Without a token. */
  client: WebClient
  logger: Logger
}): Removal {
  /** The second that an event tells is too coarse for what happens within it: Slack knows. */
  async function worksStill(token: string): Promise<boolean> {
    return client.auth.test({ token }).then(
      () => true,
      (error: unknown) => !ENDED.includes(slackErrorCode(error) ?? ''),
    )
  }

  /** Until when an installation is the one that was taken out, in milliseconds since 1970. */
  async function installedBefore(workspaceId: string, at: number): Promise<number> {
    // What can't be opened any more can't be asked about, and is of no use to anybody.
    const installed = await installations?.find(workspaceId).catch(() => undefined)
    const before = at * 1000
    if (!installed || installed.installedAt < before) return before
    return (await worksStill(installed.bot.token)) ? before : installed.installedAt + 1
  }

  return {
    async removed(workspaceId, at) {
      const before = installations && (await installedBefore(workspaceId, at))
      const done = await workspaces.forget(workspaceId, before)
      logger.info(
        { workspaceId },
        done
          ? 'the app was taken out of a workspace: all that was kept of it is deleted'
          : 'the app was installed again since it was taken out of a workspace: nothing is deleted',
      )
    },
  }
}

import type { Authorize } from '@slack/bolt'
import { WebClient, type WebClientOptions } from '@slack/web-api'
import { NotInstalledError } from '../../workspaces/installations.ts'
import type { KeyNotice, KeyNoticeStore } from '../../workspaces/key-notices.ts'
import { installedIn } from '../../workspaces/workspace.ts'
import type { MessageContent } from '../block-kit/elements.ts'
import type { RefusedKey } from '../links/link-service.ts'
import type { Platform } from '../platform/platform.ts'
import { isTemporary, slackErrorCode, SlackTimeoutError } from '../platform/slack-errors.ts'
import { firstAdmin, someAdmins } from './find-admins.ts'
import { keyNoticeMessage } from './key-notice-message.ts'

/**
 * Tells admins in the background that their workspace's key has stopped working, unless they already know. The user whose
 * request failed sees their own error.
 */
export type KeyNotices = (refused: RefusedKey) => void

export interface KeyNoticesOptions {
  store: KeyNoticeStore
  authorize: Authorize<boolean>
  clientOptions: WebClientOptions
  /** The link service's address, for users. */
  serviceUrl: string
}

export function createKeyNotices(
  { logger, tasks }: Pick<Platform, 'logger' | 'tasks'>,
  { store, authorize, clientOptions, serviceUrl }: KeyNoticesOptions,
): KeyNotices {
  async function tell({ workspaceId, apiKey, error }: RefusedKey): Promise<void> {
    const notice = await store.claim(workspaceId, apiKey)
    if (!notice) return
    const message = keyNoticeMessage({ error, source: notice.source, serviceUrl })
    try {
      const { botToken } = await authorize(installedIn(workspaceId))
      const client = new WebClient(botToken, clientOptions)
      const known = await firstAdmin(client, workspaceId, notice.contacts)
      const admins = known.length > 0 ? known : await someAdmins(client, workspaceId)
      // Marked as sent before it is sent: if this process ends in between, no other process sends it again.
      if (!(await store.end(notice))) return
      if ((await postToEach(client, admins, message)) === 0) {
        logger.warn(
          { workspaceId },
          'no admin could be told that the workspace’s key no longer works',
        )
      }
    } catch (err) {
      if (err instanceof NotInstalledError) return
      await sendLater(notice, err)
    }
  }

  /** Slack may have posted a message although its answer came too late. */
  async function sendLater(notice: KeyNotice, err: unknown): Promise<void> {
    const { workspaceId } = notice
    logger.warn({ err, workspaceId }, 'no admin was told that the workspace’s key no longer works')
    if (!(err instanceof SlackTimeoutError)) await store.postpone(notice)
  }

  /** @returns how many of them got the message. Slack refuses those who have left, for example */
  async function postToEach(
    client: WebClient,
    admins: readonly string[],
    message: MessageContent,
  ): Promise<number> {
    let told = 0
    for (const admin of admins) {
      try {
        const silent = { unfurl_links: false, unfurl_media: false }
        await client.chat.postMessage({ channel: admin, ...message, ...silent })
        told += 1
      } catch (error) {
        if (told === 0 && !isRefusedBySlack(error)) throw error
      }
    }
    return told
  }

  return (refused) =>
    tasks.runInBackground(
      () => tell(refused),
      'admins could not be told that their workspace’s key no longer works',
    )
}

function isRefusedBySlack(error: unknown): boolean {
  return slackErrorCode(error) !== undefined && !isTemporary(error)
}

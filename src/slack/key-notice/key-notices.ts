import type { WebClient } from '@slack/web-api'
import type { ApiError } from '../../client/errors.ts'
import { NotInstalledError } from '../../workspaces/installations.ts'
import type { KeyNotice, KeyNoticeStore } from '../../workspaces/key-notices.ts'
import { isOrganization } from '../../workspaces/workspace.ts'
import { actions, button, context, section, type MessageContent } from '../block-kit/elements.ts'
import { cut, escape } from '../block-kit/mrkdwn.ts'
import { ACTIONS, COMMAND } from '../ids.ts'
import type { RefusedKey } from '../links/link-service.ts'
import type { Platform } from '../platform/platform.ts'
import { sendDirectly } from '../platform/replies.ts'
import type { ClientFor } from '../platform/slack-client.ts'
import { isRefusal, slackErrorCode, SlackTimeoutError } from '../platform/slack-errors.ts'
import { isAdmin } from '../platform/slack-users.ts'

/**
 * Tells admins in the background that their workspace's key has stopped working, unless they already know. The user whose
 * request failed sees their own error.
 */
export type KeyNotices = (refused: RefusedKey) => void

interface KeyNoticesOptions {
  store: KeyNoticeStore
  clientFor: ClientFor
  serviceUrl: string
}

export function createKeyNotices(
  { logger, tasks }: Platform,
  { store, clientFor, serviceUrl }: KeyNoticesOptions,
): KeyNotices {
  async function tell({ workspaceId, apiKey, error }: RefusedKey): Promise<void> {
    const notice = await store.take(workspaceId, apiKey)
    if (!notice) return
    const message = keyNoticeMessage({ error, source: notice.source, serviceUrl })
    try {
      const client = await clientFor(workspaceId)
      const known = await firstAdmin(client, workspaceId, notice.contacts)
      const admins = known.length > 0 ? known : await someAdmins(client, workspaceId)
      if ((await postToEach(client, admins, message)) === 0) {
        logger.warn(
          { workspaceId },
          'no admin could be told that the workspace’s key no longer works',
        )
      }
    } catch (err) {
      if (err instanceof NotInstalledError) return
      logger.warn(
        { err, workspaceId },
        'no admin was told that the workspace’s key no longer works',
      )
      // Slack may have posted a message although its answer came too late.
      if (!(err instanceof SlackTimeoutError)) await store.postpone(notice)
    }
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
        await sendDirectly(client, admin, message)
        told += 1
      } catch (error) {
        if (told === 0 && !isRefusal(error)) throw error
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

/** The size of a page of members, how many pages are read, and how many admins are enough. */
const PAGE = 200
const MAX_PAGES = 5
const ENOUGH_ADMINS = 3

/** The first of these people who is an admin of the workspace. */
async function firstAdmin(
  client: WebClient,
  workspaceId: string,
  people: readonly string[],
): Promise<string[]> {
  const caller = { client, workspace: { id: workspaceId } }
  for (const userId of people) {
    const mayHelp = await isAdmin(caller, userId).catch((error: unknown) => {
      if (slackErrorCode(error) === 'user_not_found') return false
      throw error
    })
    if (mayHelp) return [userId]
  }
  return []
}

/** A few admins of a workspace. An organization has too many members to search for its admins. */
async function someAdmins(client: WebClient, workspaceId: string): Promise<string[]> {
  const admins: string[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES && !isOrganization(workspaceId); page++) {
    const { members = [], response_metadata: more } = await client.users.list({
      limit: PAGE,
      ...(cursor && { cursor }),
    })
    for (const { id, deleted, is_admin: isOneOfThem, is_owner: isOwner } of members) {
      if (id && deleted !== true && (isOneOfThem === true || isOwner === true)) admins.push(id)
    }
    cursor = more?.next_cursor
    if (!cursor || admins.length >= ENOUGH_ADMINS) break
  }
  return admins.slice(0, ENOUGH_ADMINS)
}

/** How many characters of the service's own words are shown. */
const MAX_WORDS = 300

function keyNoticeMessage({
  error,
  source,
  serviceUrl,
}: {
  error: Pick<ApiError, 'status' | 'explanation'>
  source: KeyNotice['source']
  serviceUrl: string
}): MessageContent {
  const { status, explanation = '' } = error
  const words = cut(explanation.replace(/\s+/g, ' ').trim(), MAX_WORDS)
  const reason =
    status === 401
      ? 'The link service doesn’t accept this workspace’s API key anymore. It may have expired, or someone may have revoked it.'
      : 'The link service doesn’t let this workspace’s API key make links.'
  const summary = 'Backhalf can’t make short links in this workspace.'
  return {
    text: `${summary} ${reason}`,
    blocks: [
      section(`:key: *${summary}* ${reason}`),
      ...(words ? [section(`The link service says: “${escape(words)}”`)] : []),
      section(
        source === 'connected'
          ? `To fix this, create a new key at ${escape(serviceUrl)} and enter it here.`
          : `Backhalf created this key automatically, and can create a new one. You can also enter a key that you created at ${escape(serviceUrl)}.`,
      ),
      ...actions([
        button(source === 'connected' ? 'Enter a new key' : 'Get a new key', ACTIONS.openConnect, {
          style: 'primary',
        }),
      ]),
      context(
        `\`${COMMAND} connect\` does the same. Backhalf sends this message once for each key that stops working.`,
      ),
    ],
  }
}

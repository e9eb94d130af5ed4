import type { LinkServiceError } from '../../port/failures.ts'
import type { KeyNotice, KeyNoticeStore } from '../../workspaces/key-notices.ts'
import { actions, button, context, section } from '../block-kit/elements.ts'
import type { MessageContent } from '../block-kit/messages.ts'
import { escape } from '../block-kit/mrkdwn.ts'
import { ACTIONS, COMMAND } from '../ids.ts'
import type { RefusedKey } from '../links/workspace-link-service.ts'
import { isAdmin } from '../platform/caller.ts'
import { serviceWords } from '../platform/error-messages.ts'
import type { Platform } from '../platform/platform.ts'
import { postTo } from '../platform/replies.ts'
import type { ClientFor } from '../platform/slack-client.ts'
import { isRefusal } from '../platform/slack-errors.ts'

/** Returns a function that tells an admin, in the background and once for each key, that the key no longer works. */
export function createKeyNotices(
  { logger, tasks }: Platform,
  options: { store: KeyNoticeStore; clientFor: ClientFor; serviceUrl: string },
): (refused: RefusedKey) => void {
  const { store, clientFor, serviceUrl } = options

  async function tellAdmin({ workspaceId, apiKey, error }: RefusedKey): Promise<void> {
    const notice = await store.claim(workspaceId, apiKey)
    if (!notice) return // An earlier request or another process has claimed it.
    const message = keyNoticeMessage(error, notice.source, serviceUrl)
    const caller = { client: await clientFor(workspaceId), workspace: { id: workspaceId } }
    for (const userId of notice.contacts) {
      try {
        if (!(await isAdmin(caller, userId))) continue
        await postTo(caller.client, userId, message)
        return
      } catch (err) {
        if (!isRefusal(err)) throw err // Slack refuses if the user has left, for example.
      }
    }
    logger.warn({ workspaceId }, 'no admin could be told that the workspace’s key no longer works')
  }

  return (refused) =>
    tasks.runInBackground(
      () => tellAdmin(refused),
      'no admin was told that their workspace’s key no longer works',
    )
}

function keyNoticeMessage(
  error: LinkServiceError,
  source: KeyNotice['source'],
  serviceUrl: string,
): MessageContent {
  const words = serviceWords(error)
  const reason =
    error.failure.kind === 'unauthorized'
      ? 'The link service doesn’t accept this workspace’s API key anymore. It might have expired, or someone might have revoked it.'
      : 'The link service doesn’t let this workspace’s API key create links.'
  const summary = 'Backhalf can’t create short links in this workspace.'
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

import { type LinkDetails, timeOf } from '../../port/links.ts'
import { NotInstalledError } from '../../workspaces/installations.ts'
import { SAME_TIME_MS, type Reminder, type ReminderStore } from '../../workspaces/reminders.ts'
import { actions, button, section } from '../block-kit/elements.ts'
import type { MessageContent } from '../block-kit/messages.ts'
import { escape, moment } from '../block-kit/mrkdwn.ts'
import { decodeNamedLink, encodeNamedLink, headline } from '../block-kit/shown-link.ts'
import { ACTIONS } from '../ids.ts'
import { readCurrent } from '../links/current-link.ts'
import type { LinkPlatform } from '../links/links.ts'
import { createDueWork, type DueWork } from '../platform/due-work.ts'
import type { Listeners } from '../platform/listeners.ts'
import { postTo } from '../platform/replies.ts'
import type { ClientFor } from '../platform/slack-client.ts'
import { isRefusal } from '../platform/slack-errors.ts'

export function registerReminders(
  listeners: Listeners,
  { linkService, permissions, replies }: LinkPlatform,
): void {
  listeners.action(ACTIONS.keepLink, async ({ caller, target, value }) => {
    const named = decodeNamedLink(value)
    await permissions.checkMayChange(caller, named)
    const { link } = await linkService.update(caller, named.name, { expires_at: '' })
    await replies.send(caller.client, { ...target, replacesOriginal: true }, keptMessage(link))
  })
}

const RETRY_MS = 10 * 60_000

export function createReminders(
  platform: LinkPlatform,
  { store, clientFor }: { store: ReminderStore; clientFor: ClientFor },
): DueWork {
  const { clock, linkService, logger } = platform

  async function tryLater(reminder: Reminder): Promise<void> {
    const next = clock.now() + RETRY_MS
    // A reminder after the link has expired would be of no use.
    if (next < reminder.expiresAt) await store.postpone(reminder, next)
  }

  async function remind(due: Reminder): Promise<void> {
    const { workspaceId: id, name } = due
    if (!(await store.claim(due))) return
    try {
      const client = await clientFor(id)
      const read = await readCurrent(platform, { id }, name)
      if (read === undefined) return await tryLater(due)
      const link = read === 'gone' ? undefined : read
      const expiresAt = timeOf(link?.expires_at)
      const willExpire = link?.enabled !== false && expiresAt > clock.now()
      const isUnchanged = Math.abs(expiresAt - due.expiresAt) < SAME_TIME_MS
      if (!link || !willExpire || !isUnchanged) {
        // The reminder is planned again for the new expiry, or removed. If the link was turned off, turning it on again
        // in Slack plans another reminder.
        return await store.setExpiry(id, name, willExpire ? expiresAt : undefined)
      }
      const { update } = await linkService.capabilities({ id })
      const message = reminderMessage(link, update ? name : undefined)
      await postTo(client, due.createdBy, message)
    } catch (err) {
      if (err instanceof NotInstalledError || isRefusal(err)) {
        logger.info({ err, workspaceId: id }, 'the creator of a link can’t be reminded')
        return
      }
      logger.warn({ err, workspaceId: id }, 'a reminder could not be sent and is tried again later')
      await tryLater(due)
    }
  }

  return createDueWork(platform, {
    due: (limit) => store.due(limit),
    work: remind,
    failure: 'could not remind creators of links that expire soon',
  })
}

export function reminderMessage(link: LinkDetails, name?: string): MessageContent {
  const { shortlink_url: shortUrl } = link
  const expiresAt = timeOf(link.expires_at)
  const value = name && encodeNamedLink({ name, shortUrl })
  return {
    text: `Your short link ${escape(shortUrl)} expires on ${moment(expiresAt)}.`,
    blocks: [
      section(
        `:hourglass_flowing_sand: One of your short links expires on *${moment(expiresAt)}*. Then it stops working.`,
      ),
      section(headline(link)),
      ...actions([value && button('Keep it', ACTIONS.keepLink, { value, style: 'primary' })]),
    ],
  }
}

export function keptMessage(link: LinkDetails): MessageContent {
  const outcome = 'Kept. This short link no longer expires.'
  return {
    text: `${outcome} ${escape(link.shortlink_url)}`,
    blocks: [
      section(`:white_check_mark: ${outcome}`),
      section(headline({ ...link, state: link.enabled === false ? 'off' : undefined })),
    ],
  }
}

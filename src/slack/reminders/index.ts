import { LinkGoneError } from '../../client/errors.ts'
import type { LinkDetails } from '../../client/link-client.ts'
import { createOperation } from '../../client/operation.ts'
import { timeOf } from '../../client/responses.ts'
import { NotInstalledError } from '../../workspaces/installations.ts'
import { SAME_TIME_MS, type Reminder, type ReminderStore } from '../../workspaces/reminders.ts'
import { actions, button, section, type MessageContent } from '../block-kit/elements.ts'
import { escape, moment } from '../block-kit/mrkdwn.ts'
import { decodeNamedLink, encodeNamedLink, headline } from '../block-kit/shown-link.ts'
import { ACTIONS } from '../ids.ts'
import type { Links } from '../links/links.ts'
import { createDueWork } from '../platform/due-work.ts'
import type { Listeners } from '../platform/listeners.ts'
import type { Platform } from '../platform/platform.ts'
import { sendDirectly } from '../platform/replies.ts'
import type { ClientFor } from '../platform/slack-client.ts'
import { isRefusal } from '../platform/slack-errors.ts'

/**
 * *Keep it* in a reminder: the link no longer expires. It works for everyone who may change the link, and a second
 * click changes nothing.
 */
export function registerReminders(
  listeners: Listeners,
  { clock, linkService, permissions, replies }: Platform & Links,
): void {
  listeners.action(ACTIONS.keepLink, async ({ caller, target, value }) => {
    const named = decodeNamedLink(value)
    await permissions.checkMayChange(caller, named)
    const { name } = named
    const { workspace } = caller
    const operation = createOperation({ clock })
    const { link } = await linkService.get(workspace, name, { operation })
    const isKeptBefore = link.expires_at === undefined
    if (!isKeptBefore) await linkService.update(caller, name, { expires_at: '' }, { operation })
    await replies.replace(caller.client, target, keptMessage(link, isKeptBefore))
  })
}

/** How long to wait after a failure: an eighth of the time that is left, but no less than this. In milliseconds. */
const MIN_RETRY_MS = 5 * 60_000
const RETRY_SHARE = 8

/** How long before the expiry its maker is reminded at the earliest, in milliseconds. */
const REMIND_WITHIN_MS = 3 * 86_400_000

/** Reminds the makers of links that expire soon. */
export function createReminders(
  { clock, linkService, logger, tasks }: Platform & Links,
  { store, clientFor }: { store: ReminderStore; clientFor: ClientFor },
) {
  async function tryLater(reminder: Reminder): Promise<void> {
    const left = reminder.expiresAt - clock.now()
    const wait = Math.max(MIN_RETRY_MS, left / RETRY_SHARE)
    // A reminder after the link has expired would be of no use.
    if (wait < left) await store.postpone(reminder, Math.ceil(clock.now() + wait))
    else await store.end(reminder)
  }

  /**
   * Reads a link that expires soon. If it no longer does, the record is corrected.
   *
   * @returns undefined if its maker need not be reminded now
   */
  async function readExpiring(claimed: Reminder): Promise<ExpiringLink | undefined> {
    const { workspaceId, name } = claimed
    const link = await linkService.get({ id: workspaceId }, name).then(
      (read) => read.link,
      (error: unknown) => {
        if (error instanceof LinkGoneError) return undefined
        throw error
      },
    )
    const expiresAt = timeOf(link?.expires_at)
    // If the link is turned on again in Slack, it has an expiry that is not in the record.
    if (!link || link.enabled === false || !(expiresAt > clock.now())) {
      await store.setExpiry(workspaceId, name, undefined)
      return undefined
    }
    const isChanged = Math.abs(expiresAt - claimed.expiresAt) >= SAME_TIME_MS
    if (isChanged && expiresAt - clock.now() > REMIND_WITHIN_MS) {
      await store.setExpiry(workspaceId, name, expiresAt)
      return undefined
    }
    return { link, expiresAt }
  }

  async function remind(due: Reminder): Promise<void> {
    const { workspaceId: id, name } = due
    let reminder = await store.claim(due)
    if (!reminder) return
    try {
      const client = await clientFor(id)
      const offers = await linkService.offers({ id })
      if (!offers.get) return await tryLater(reminder)
      const found = await readExpiring(reminder)
      if (!found) return
      // Marked as sent before it is sent: if this process ends in between, no other process sends it again.
      if (!(await store.end(reminder, found.expiresAt))) return
      reminder = { ...reminder, expiresAt: found.expiresAt }
      const message = reminderMessage(found, offers.update ? name : undefined)
      await sendDirectly(client, reminder.madeBy, message)
    } catch (err) {
      if (err instanceof NotInstalledError || isRefusal(err)) {
        logger.info({ err, workspaceId: id }, 'the maker of a link can’t be reminded')
        await store.end(reminder)
        return
      }
      logger.warn(
        { err, workspaceId: id },
        'a reminder could not be sent, and is tried again later',
      )
      await tryLater(reminder)
    }
  }

  return createDueWork({
    tasks,
    due: (limit) => store.due(limit),
    work: remind,
    failure: 'could not look for links that expire soon',
  })
}

/** A link that expires soon, as the link service has just described it. */
interface ExpiringLink {
  link: LinkDetails
  /** Milliseconds since 1970. */
  expiresAt: number
}

/**
 * Reminds the maker of a link that it expires.
 *
 * @param name absent if the link service can't change links
 */
export function reminderMessage({ link, expiresAt }: ExpiringLink, name?: string): MessageContent {
  const { shortlink_url: shortUrl } = link
  const value = name === undefined ? undefined : encodeNamedLink({ name, shortUrl })
  return {
    text: `Your short link ${escape(shortUrl)} expires on ${moment(expiresAt)}.`,
    blocks: [
      section(
        `:hourglass_flowing_sand: One of your short links expires on *${moment(expiresAt)}*. From then on, it leads nowhere.`,
      ),
      section(headline(link)),
      ...(value === undefined
        ? []
        : actions([button('Keep it', ACTIONS.keepLink, { value, style: 'primary' })])),
    ],
  }
}

/** Replaces the reminder. @param isKeptBefore whether it already had no expiry, for example because of an earlier click */
export function keptMessage(link: LinkDetails, isKeptBefore: boolean): MessageContent {
  const outcome = isKeptBefore
    ? 'This short link doesn’t expire.'
    : 'Kept. This short link no longer expires.'
  return {
    text: `${outcome} ${escape(link.shortlink_url)}`,
    blocks: [
      section(`:white_check_mark: ${outcome}`),
      section(headline({ ...link, state: link.enabled === false ? 'off' : undefined })),
    ],
  }
}

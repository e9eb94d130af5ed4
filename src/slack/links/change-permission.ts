import { NO_OFFERS, type Offers } from '../../contract/offers.ts'
import { within } from '../../timing/clock.ts'
import type { MadeLinks } from '../../workspaces/made-links.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { Platform } from '../platform/platform.ts'
import { slackErrorCode } from '../platform/slack-errors.ts'
import { isAdmin, isDeactivated } from '../platform/slack-users.ts'
import type { LinkService } from './link-service.ts'
import type { ShortenPermission } from './shorten-permission.ts'

/** What the menus of drawn links depend on. */
export interface DrawnRights {
  offers: Offers
  /** The short URLs of the links that the user may change. */
  changeable: ReadonlySet<string>
}

export const NO_RIGHTS: DrawnRights = { offers: NO_OFFERS, changeable: new Set() }

/** Who may change a link, as the workspace's admins decided. */
export interface ChangePermission {
  /**
   * Asks what a drawn menu depends on, for several links at once. Never rejects: if Slack doesn't say whether
   * a user is an admin, they are treated as not being one.
   */
  of(caller: Caller, shortUrls: readonly string[]): Promise<DrawnRights>
  /**
   * Changing includes turning a link off or on and deleting it. Unless the admins opened it to everyone, only the
   * person who made the link in Slack may, and admins. The links of people who have left, of workflows and of
   * other programs therefore belong to the admins.
   *
   * @param shortUrl in any spelling
   * @throws SlackInputError if the user may not, or if Slack doesn't say whether they are an admin
   */
  check(caller: Caller, shortUrl: string): Promise<void>
}

/** How long a list waits for Slack to say whether the user is an admin, in milliseconds. */
const ADMIN_WITHIN_MS = 2_000

export function createChangePermission({
  clock,
  linkService,
  logger,
  madeLinks,
  permission,
  settings,
}: Pick<Platform, 'clock' | 'logger' | 'settings'> & {
  linkService: LinkService
  permission: ShortenPermission
  madeLinks: Pick<MadeLinks, 'find'>
}): ChangePermission {
  async function isKnownAdmin(caller: Caller, userId: string): Promise<boolean> {
    return isAdmin(caller, userId).catch((err: unknown) => {
      logger.warn({ err }, 'Slack did not say whether a user is an admin')
      if (slackErrorCode(err) === 'missing_scope') throw err
      throw refusal(
        'Only the person who made this link and admins can change it, and Backhalf couldn’t find out from Slack whether you are an admin. Please try again in a minute.',
      )
    })
  }

  /** Which of the links the user may change. */
  async function changeable(
    caller: Caller,
    shortUrls: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const { userId, workspace } = caller
    if (userId === undefined || shortUrls.length === 0) return new Set()
    if ((await settings.read(workspace.id)).mayChange === 'everyone') return new Set(shortUrls)
    const asked = isAdmin(caller, userId).catch((err: unknown) => {
      logger.warn({ err }, 'Slack did not say whether a user is an admin')
      return false
    })
    const [admin, made] = await Promise.all([
      within(clock, ADMIN_WITHIN_MS, asked),
      Promise.all(shortUrls.map((shortUrl) => madeLinks.find(workspace.id, shortUrl))),
    ])
    if (admin?.value) return new Set(shortUrls)
    return new Set(shortUrls.filter((_, index) => made[index]?.madeBy === userId))
  }

  return {
    async of(caller, shortUrls) {
      try {
        const offers = await linkService.offersSoon(caller.workspace)
        if (!offers.update && !offers.delete) return { ...NO_RIGHTS, offers }
        return { offers, changeable: await changeable(caller, shortUrls) }
      } catch (err) {
        logger.warn({ err }, 'the menus of links could not be decided')
        return NO_RIGHTS
      }
    },

    async check(caller, shortUrl) {
      await permission.checkMaySee(caller)
      const { userId, workspace } = caller
      if ((await settings.read(workspace.id)).mayChange === 'everyone') return
      const madeBy = (await madeLinks.find(workspace.id, shortUrl))?.madeBy
      if (userId !== undefined && userId === madeBy) return
      if (userId !== undefined && (await isKnownAdmin(caller, userId))) return
      const hasLeft = madeBy !== undefined && (await isDeactivated(caller, madeBy))
      if (hasLeft) {
        throw refusal(
          'Only admins can change this link, because the person who made it has left. Ask one of them.',
        )
      }
      throw refusal(
        madeBy === undefined
          ? 'Only admins can change this link, because Backhalf doesn’t know who made it in Slack. Ask one of them.'
          : 'Only the person who made this link and admins can change it. Ask one of them.',
      )
    },
  }
}

function refusal(message: string): SlackInputError {
  return new SlackInputError([{ message }])
}

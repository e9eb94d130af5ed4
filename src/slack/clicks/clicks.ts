import type { ModalView } from '@slack/types'
import type { Act } from '../../client/act.ts'
import { formatCount } from '../../web/numbers.ts'
import { section } from '../block-kit/elements.ts'
import { link as mrkdwnLink, readableUrl } from '../block-kit/mrkdwn.ts'
import { readOnlyModal } from '../block-kit/notices.ts'
import type { Caller } from '../platform/caller.ts'
import type { Platform } from '../platform/platform.ts'

/** A link whose name is known, from a list or from its menu. */
export interface NamedLink {
  /** The link service's ID. */
  name: string
  shortUrl: string
  title?: string | undefined
  /** The clicks in total, if the service's list has them. */
  clicks?: number | undefined
}

/** Shows how often links were clicked. */
export interface Clicks {
  /**
   * Shows a link's clicks in a modal (`views.openThenBuild`).
   *
   * @throws SlackInputError if the user may not see links; LinkServiceError, NotConnectedError
   */
  showModal(
    caller: Caller,
    link: NamedLink,
    show: (view: ModalView) => Promise<void>,
    act?: Act,
  ): Promise<void>
}

export function createClicks({
  linkService,
  permission,
}: Pick<Platform, 'linkService' | 'permission'>): Clicks {
  return {
    async showModal(caller, { name, shortUrl }, show, act) {
      await permission.checkMaySee(caller)
      const { totalPeople } = await linkService.clicks(caller.workspace, name, {}, { act })
      const shown = mrkdwnLink(shortUrl, readableUrl(shortUrl))
      const text = `${shown}: ${formatCount(totalPeople, 'click')} in the last 30 days`
      await show(readOnlyModal('Clicks', [section(text)]))
    },
  }
}

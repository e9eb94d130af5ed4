import type { Capabilities } from '../../port/capabilities.ts'
import type { ModalView } from '@slack/types'
import type { LinkDetails } from '../../port/links.ts'
import { formatCount } from '../../web/numbers.ts'
import { section } from '../block-kit/elements.ts'
import { formModal } from '../block-kit/inputs.ts'
import { escape, link, readableUrl } from '../block-kit/mrkdwn.ts'
import type { Notice } from '../block-kit/notices.ts'
import { encodeNamedLink, headline, type ShownLink } from '../block-kit/shown-link.ts'
import { VIEWS } from '../ids.ts'

export const TITLES = {
  edit: 'Edit a link',
  clicks: 'Clicks',
  delete: 'Delete a link',
  share: 'Share a link',
} as const

export const TOO_LONG = 'This link is too long to be changed from here.'

const MAX_URL_LENGTH = 200

export function turnedNotice(link: ShownLink, enabled: boolean, etag?: string): Notice {
  const { name = '', shortlink_url: shortUrl, state } = link
  if (!enabled) {
    return {
      text: `*Turned off.* Visitors of ${shown(shortUrl)} see a page saying that it is turned off.`,
      name,
      undo: etag === undefined ? undefined : encodeNamedLink({ name, shortUrl, etag }),
    }
  }
  const on =
    state === 'expired'
      ? `${shown(shortUrl)} has expired, so it still doesn’t work. To use it again, choose _Edit_ and change when it expires.`
      : `${shown(shortUrl)} leads to its destination again.`
  return { text: `*Turned on.* ${on}`, name }
}

export function deleteModal(
  { clicks, ...item }: ShownLink,
  metadata: string,
  { turnOff: canTurnOff, keepsAddresses }: Pick<Capabilities, 'turnOff' | 'keepsAddresses'>,
): ModalView {
  const result = keepsAddresses ? 'will never lead anywhere again' : 'stops working'
  const advice =
    canTurnOff && !item.state ? ' To stop it only for a while, turn it off instead.' : ''
  const clickCount = clicks === undefined ? '' : `  ·  ${formatCount(clicks, 'click')}`
  return formModal({
    callbackId: VIEWS.deleteLink,
    metadata,
    title: TITLES.delete,
    submit: 'Delete',
    blocks: [
      section(`${headline(item)}${clickCount}`),
      section(
        `Delete this link for good? Its short URL ${result}, even in print and in earlier posts.${advice}`,
      ),
    ],
  })
}

export function deletedText(url: string, keepsAddresses: boolean): string {
  const address = escape(readableUrl(url, MAX_URL_LENGTH))
  return keepsAddresses
    ? `*Deleted.* Visitors of ${address} see a page saying that it was deleted.`
    : `*Deleted.* ${address} no longer works.`
}

export function editedNotice(
  { name, shortlink_url: shortUrl }: Pick<LinkDetails, 'name' | 'shortlink_url'>,
  changedLabels: readonly string[],
  earlierUrl: string,
  keepsAddresses: boolean,
): Notice {
  const saved = `*Saved.* You changed: ${escape(changedLabels.join(', '))}.`
  if (shortUrl === earlierUrl) return { text: saved, name }
  const result = keepsAddresses ? 'still leads there' : 'no longer works'
  return { text: `${saved} The earlier short link ${shown(earlierUrl)} ${result}.`, name }
}

function shown(url: string): string {
  return link(url, readableUrl(url, MAX_URL_LENGTH))
}

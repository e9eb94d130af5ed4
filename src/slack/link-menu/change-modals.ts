import type { ModalView } from '@slack/types'
import type { ListedLink } from '../../client/link-client.ts'
import { formatCount } from '../../web/numbers.ts'
import { actions, button, context, section } from '../block-kit/elements.ts'
import { formModal } from '../block-kit/inputs.ts'
import { escape, link, readableUrl } from '../block-kit/mrkdwn.ts'
import { readOnlyModal } from '../block-kit/notices.ts'
import { encodeLink, headline, type ShownLink } from '../block-kit/shown-link.ts'
import { ACTIONS, VIEWS } from '../ids.ts'

/** How much of a short URL is shown. */
const MAX_URL_LENGTH = 200

/**
 * Says that a link was turned off or on.
 *
 * @param metadata the link, encrypted, for a button that undoes this; false: there is no such button
 */
export function turnedModal(
  { shortlink_url: url, state }: Pick<ShownLink, 'shortlink_url' | 'state'>,
  enabled: boolean,
  metadata: string | false,
): ModalView {
  const on =
    state === 'expired'
      ? `${shown(url)} has expired, so it still leads nowhere. To use it again, choose _Edit_ and change when it expires.`
      : `${shown(url)} leads to its destination again.`
  const text = enabled
    ? `*Turned on.* ${on}`
    : `*Turned off.* Visitors of ${shown(url)} see a page saying that it is turned off.`
  const undo = enabled ? button('Turn off', ACTIONS.turnOff) : button('Turn on', ACTIONS.turnOn)
  return {
    ...readOnlyModal(enabled ? 'Turned on' : 'Turned off', [
      section(text),
      ...(metadata ? actions([undo]) : []),
    ]),
    private_metadata: metadata || '',
  }
}

export const CHANGED_MEANWHILE =
  'Someone else changed this link while this form was open, so it wasn’t deleted. The link is shown below as it is now. Press Delete to delete it anyway.'

/**
 * Asks whether to delete a link.
 *
 * @param metadata the link, encrypted
 * @param canTurnOff whether the link service can turn links off instead
 */
export function deleteModal(
  { clicks, ...item }: ShownLink & Pick<ListedLink, 'clicks'>,
  metadata: string,
  canTurnOff: boolean,
): ModalView {
  const instead =
    canTurnOff && !item.state ? ' To stop it only for a while, turn it off instead.' : ''
  const clicked = clicks === undefined ? '' : `  ·  ${formatCount(clicks, 'click')}`
  return formModal({
    callbackId: VIEWS.deleteLink,
    metadata,
    title: 'Delete a link',
    submit: 'Delete',
    blocks: [
      section(`${headline(item)}${clicked}`),
      section(
        `Delete this link for good? Its short URL will never lead anywhere again, even where it is already printed or posted.${instead}`,
      ),
    ],
  })
}

/** Says that a link was deleted. */
export function deletedText(url: string): string {
  return `*Deleted.* Visitors of ${escape(readableUrl(url, MAX_URL_LENGTH))} see a page saying that it was deleted.`
}

/** The choices that need no link service. */
export function moreModal(item: ShownLink): ModalView {
  const value = encodeLink(item)
  return readOnlyModal('Share, QR code, copy', [
    section(headline(item)),
    ...(value === undefined
      ? [context('This link is too long to be shared from here.')]
      : actions([
          ...(item.state ? [] : [button('Share in a channel', ACTIONS.shareHere, { value })]),
          button('Show QR code', ACTIONS.showQrHere, { value }),
          button('Copy as text', ACTIONS.copyHere, { value }),
        ])),
  ])
}

/** Says that a link was saved, as mrkdwn. @param changed the labels of what the user changed */
export function editedText(changed: readonly string[]): string {
  return changed.length > 0
    ? `*Saved.* You changed: ${escape(changed.join(', '))}.`
    : 'You changed nothing, so nothing was saved.'
}

/** Shows a link that was saved. @param changed the labels of what the user changed */
export function editedModal(
  saved: Parameters<typeof headline>[0],
  changed: readonly string[],
  earlierShortUrl?: string,
): ModalView {
  return readOnlyModal('Edit a link', [
    section(editedText(changed)),
    section(headline(saved)),
    ...(earlierShortUrl === undefined
      ? []
      : [context(`The earlier short link ${shown(earlierShortUrl)} still leads there.`)]),
  ])
}

function shown(url: string): string {
  return link(url, readableUrl(url, MAX_URL_LENGTH))
}

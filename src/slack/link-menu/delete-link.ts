import type { ModalView } from '@slack/types'
import type { Capabilities } from '../../port/capabilities.ts'
import { failureOf } from '../../port/failures.ts'
import type { ReadLink } from '../../port/links.ts'
import { formatCount } from '../../web/numbers.ts'
import { LIMITS, section } from '../block-kit/elements.ts'
import { formModal } from '../block-kit/inputs.ts'
import { escape, readableUrl } from '../block-kit/mrkdwn.ts'
import { headline, toShownLink, type ShownLink } from '../block-kit/shown-link.ts'
import { VIEWS } from '../ids.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { answerForm } from '../platform/form-submission.ts'
import type { FormSubmission } from '../platform/listeners.ts'
import { defineSealedMetadata } from '../platform/sealed-metadata.ts'
import {
  changedLink,
  followChange,
  MAX_URL_LENGTH,
  TITLES,
  toChangedLink,
  TOO_LONG,
  type MenuOrigin,
} from './link-changes.ts'

const metadata = defineSealedMetadata('changed link', changedLink)

export async function buildDeleteForm(
  platform: ShortenPlatform,
  caller: Caller,
  read: ReadLink,
  origin: MenuOrigin,
): Promise<ModalView> {
  const { clock, keyring, linkService, permissions } = platform
  const link = toChangedLink(read, origin)
  await permissions.checkMayChange(caller, link)
  const capabilities = await linkService.capabilities(caller.workspace)
  const shown = toShownLink(read.link, clock.now())
  const sealed = metadata.seal(keyring, link, caller.workspace.id)
  if (sealed.length > LIMITS.metadata) throw new SlackInputError(TOO_LONG)
  return deleteModal(shown, sealed, capabilities)
}

export async function deleteLink(platform: ShortenPlatform, submission: FormSubmission) {
  const { keyring, linkService, permissions } = platform
  const { caller, view } = submission
  const link = metadata.open(keyring, view.private_metadata, caller.workspace.id)
  const { name, etag, origin } = link
  await answerForm(platform, submission, {
    async work() {
      try {
        await permissions.checkMayChange(caller, link)
        await linkService.remove(caller, name, { etag })
      } catch (error) {
        if (failureOf(error, 'changed')) {
          throw new SlackInputError(
            'This link has changed since you opened this form, so it wasn’t deleted. Close this, and choose Delete again to see how the link is now.',
          )
        }
        // If the link is already gone, the user has what they wanted.
        if (!failureOf(error, 'gone')) throw error
      }
      const { keepsAddresses } = await linkService.capabilities(caller.workspace)
      const text = deletedText(link.shortUrl, keepsAddresses)
      followChange(platform, caller, link, undefined, { origin, notice: { text } })
      return text
    },
    waiting: 'Deleting the link…',
    done: (text) => text,
    closesWhenDone: true,
    target: origin,
  })
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

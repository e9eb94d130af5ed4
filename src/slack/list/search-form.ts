import type { ModalView, PlainTextInput } from '@slack/types'
import { z } from 'zod'
import type { Keyring } from '../../workspaces/keyring.ts'
import { initialValue, input, plain } from '../block-kit/elements.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { SEARCH_LENGTH } from '../block-kit/list-position.ts'
import { warnings } from '../block-kit/notices.ts'
import { LIST_BLOCKS, VIEWS } from '../ids.ts'
import { createSealedMetadata, type SealedMetadata } from '../platform/sealed-metadata.ts'

/** What the search form carries. */
const carried = z.object({
  /** The list that was shown, encoded. */
  position: z.string(),
  /** The message with the list; absent in the Home tab. */
  message: z
    .object({ responseUrl: z.string().optional(), channelId: z.string().optional() })
    .optional(),
})

export type SearchedList = z.infer<typeof carried>

/** Encrypts what the form carries: with a `response_url`, anyone could post into a conversation. */
export function createSearchMetadata(keyring: Keyring): SealedMetadata<SearchedList> {
  return createSealedMetadata(keyring, 'search form', carried)
}

/**
 * Asks what to search for.
 *
 * @param typed what the user typed last
 * @param notice shown at the top of the form
 */
export function searchModal(
  metadata: string,
  typed: string | undefined,
  notice: readonly string[] = [],
): ModalView {
  const { min, max } = SEARCH_LENGTH
  return {
    type: 'modal',
    callback_id: VIEWS.search,
    private_metadata: metadata,
    title: plain('Search links', LIMITS.viewTitle),
    submit: plain('Search', LIMITS.viewTitle),
    close: plain('Cancel', LIMITS.viewTitle),
    blocks: [
      ...warnings(notice),
      input<PlainTextInput>(
        LIST_BLOCKS.searchText,
        FIELD_LABELS.search_text,
        { type: 'plain_text_input', focus_on_load: true, ...initialValue(typed) },
        {
          optional: false,
          hint: `Part of a title, a destination or a short URL: ${min} to ${max} characters.`,
        },
      ),
    ],
  }
}

import type { ModalView } from '@slack/types'
import { z } from 'zod'
import type { Keyring } from '../../workspaces/keyring.ts'
import { formModal, textInput } from '../block-kit/inputs.ts'
import { SEARCH_LENGTH } from '../block-kit/list-position.ts'
import { VIEWS } from '../ids.ts'
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
  return formModal({
    callbackId: VIEWS.search,
    metadata,
    title: 'Search links',
    submit: 'Search',
    notice,
    blocks: [
      textInput('search_text', typed, {
        focus_on_load: true,
        optional: false,
        hint: `Part of a title, a destination or a short URL: ${min} to ${max} characters.`,
      }),
    ],
  })
}

import { z } from 'zod'
import { LINK_FIELDS } from '../../contract/link-fields.ts'
import { formModal, textInput } from '../block-kit/inputs.ts'
import { decodeListPosition, SEARCH_LENGTH, type ListPosition } from '../block-kit/list-position.ts'
import { VIEWS } from '../ids.ts'
import type { LinkPlatform } from '../links/links.ts'
import { replyTarget } from '../platform/caller.ts'
import { answerForm } from '../platform/form-submission.ts'
import { typedText } from '../platform/form-values.ts'
import type { ActionRequest, FormSubmission } from '../platform/listeners.ts'
import { defineSealedMetadata } from '../platform/sealed-metadata.ts'
import { readFilter } from './list-text.ts'
import { sendList } from './show-list.ts'

const replaced = replyTarget.pick({ responseUrl: true, channelId: true }).optional()
const metadata = defineSealedMetadata(
  'search form',
  z.object({ position: z.string(), message: replaced }),
)

export async function openSearch(platform: LinkPlatform, request: ActionRequest) {
  const { keyring, linkService, views } = platform
  const { caller, target, triggerId, value, view } = request
  const { responseUrl, channelId } = target
  const list = { position: value, ...(!view && { message: { responseUrl, channelId } }) }
  const sealed = metadata.seal(keyring, list, caller.workspace.id)
  const position = decodeListPosition(value)
  const { tagFilter, creatorFilter } = await linkService.capabilities(caller.workspace)
  // Without a creator filter in the service, the links of a user are taken from the app's record, which has no tags.
  const asksTags = tagFilter && (creatorFilter || !(position.mine ?? position.by))
  await views.open(caller, triggerId, searchModal(sealed, position, asksTags))
}

export async function submitSearch(platform: LinkPlatform, submission: FormSubmission) {
  const { homeTab, keyring } = platform
  const { caller, userId, view } = submission
  const { position, message } = metadata.open(keyring, view.private_metadata, caller.workspace.id)
  const { values } = view.state
  const text = typedText(values, 'search_text')
  const tags = typedText(values, 'search_tags')
  await answerForm(platform, submission, {
    async work() {
      // Without a text and tags, the empty text causes an error at its input.
      const filter = readFilter(text || (tags ? undefined : ''), tags || undefined, true)
      const unfiltered = { ...decodeListPosition(position), q: undefined, tag: undefined }
      const results = { ...unfiltered, ...filter, page: 1 }
      if (!message) return homeTab.turnTo(caller, results)
      const target = { ...message, userId, replacesOriginal: true }
      await sendList(platform, caller, target, results)
    },
    waiting: 'Searching…',
    done: () => 'The list now shows the results.',
    closesWhenDone: true,
    typed: [text, tags].filter(Boolean).join('\n'),
  })
}

export function searchModal(metadata: string, { q, tag }: ListPosition, asksTags: boolean) {
  const { min, max } = SEARCH_LENGTH
  const tags = textInput('search_tags', tag?.join(', '), {
    placeholder: LINK_FIELDS.tags.example,
    hint: 'Only links that have all of these tags. Separate them with commas.',
  })
  return formModal({
    callbackId: VIEWS.search,
    metadata,
    title: 'Search links',
    submit: 'Search',
    blocks: [
      textInput('search_text', q, {
        focus_on_load: true,
        optional: asksTags,
        hint: `Part of a title, a destination or a short URL: ${min} to ${max} characters.`,
      }),
      ...(asksTags ? [tags] : []),
    ],
  })
}

import type { ModalView } from '@slack/types'
import { z } from 'zod'
import { LINK_FIELDS } from '../../contract/link-fields.ts'
import { OUR_SORT_FIELDS, SORT_ORDERS } from '../../contract/list-query.ts'
import { parseTags } from '../../contract/tags.ts'
import type { MessageContent } from '../block-kit/elements.ts'
import { formModal, textInput } from '../block-kit/inputs.ts'
import {
  decodeListPosition,
  filterError,
  FIRST_PAGE,
  parsePageNumber,
  SEARCH_LENGTH,
  cleanSearchText,
  type ListFilter,
  type ListPosition,
} from '../block-kit/list-position.ts'
import { cut, unwrapLink } from '../block-kit/mrkdwn.ts'
import { noticeModal, type Notice } from '../block-kit/notices.ts'
import { ACTIONS, COMMAND, EVENTS, VIEWS } from '../ids.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller, ReplyTarget } from '../platform/caller.ts'
import { splitQuotedWords } from '../platform/commands.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { answerForm } from '../platform/form-submission.ts'
import { typedText } from '../platform/form-values.ts'
import type { ActionRequest, FormSubmission, Listeners } from '../platform/listeners.ts'
import { withMention } from '../platform/slack-users.ts'
import { createSealedMetadata } from '../platform/sealed-metadata.ts'
import type { HomeTab } from './home-tab.ts'
import { chosenPosition, listMessage } from './list-blocks.ts'

export type ShownLists = ReturnType<typeof registerList>

export function registerList(
  listeners: Listeners,
  platform: LinkPlatform,
  { homeTab }: { homeTab: HomeTab },
) {
  const { clock, keyring, linkLists, linkService, permissions, replies, views } = platform
  const metadata = createSealedMetadata(keyring, 'search form', carried)

  async function fetchList(
    caller: Caller,
    position: ListPosition,
    notice?: Notice,
  ): Promise<MessageContent> {
    await permissions.checkMaySee(caller)
    const page = await linkLists.fetch(caller, position)
    const rights = await permissions.readRights(caller, page.links)
    return listMessage({ ...page, rights, now: clock.now(), notice })
  }

  async function show(
    { caller, target, userId, view }: Pick<ActionRequest, 'caller' | 'target' | 'userId' | 'view'>,
    position: ListPosition,
  ): Promise<void> {
    if (view) return homeTab.turnTo(caller, userId, position)
    await replies.replace(caller.client, target, await fetchList(caller, position))
  }

  const press = (request: ActionRequest): Promise<void> =>
    show(request, decodeListPosition(request.value))

  async function choose(request: ActionRequest): Promise<void> {
    const { action } = request
    if (action.type !== 'static_select') throw new Error('not a menu of a list')
    // A client can clear the selection, despite what the types say.
    const selected = action.selected_option as { value: string } | null
    await show(request, chosenPosition(action.action_id, action.block_id, selected?.value ?? ''))
  }

  async function openSearch({ caller, target, triggerId, value, view }: ActionRequest) {
    const { responseUrl, channelId } = target
    const list = { position: value, ...(!view && { message: { responseUrl, channelId } }) }
    const sealed = metadata.seal(list, caller.workspace.id)
    const shown = decodeListPosition(value)
    const { tagFilter, creatorFilter } = await linkService.capabilities(caller.workspace)
    const asksTags = tagFilter && (creatorFilter || !(shown.mine ?? shown.by))
    await views.open(caller, triggerId, searchModal(sealed, shown, asksTags))
  }

  async function search(submission: FormSubmission): Promise<void> {
    const { caller, userId, view } = submission
    const { position, message } = metadata.open(view.private_metadata, caller.workspace.id)
    const { values } = view.state
    const [text, tags] = [typedText(values, 'search_text'), typedText(values, 'search_tags')]
    await answerForm(platform, submission, {
      async work() {
        const filter = readFilter(text || (tags ? undefined : ''), tags || undefined, true)
        const list = { ...decodeListPosition(position), q: undefined, tag: undefined }
        const found = { ...list, ...filter, page: 1 }
        if (!message) return homeTab.turnTo(caller, userId, found)
        const target = { ...message, userId }
        await replies.replace(caller.client, target, await fetchList(caller, found))
      },
      waiting: noticeModal('Search links', 'Searching…'),
      done: () => noticeModal('Search links', 'The list now shows the results.'),
      closesWhenDone: true,
      typed: [text, tags].filter(Boolean).join('\n'),
    })
  }

  listeners.command(
    'list',
    async ({ caller, target, text }) => {
      const position = parseListText(await withMention(caller, text))
      await replies.send(caller.client, target, await fetchList(caller, position))
    },
    // Of a text that is too long to be searched for, a part is enough.
    (text) => ({ typed: cut(`${COMMAND} ${text}`, SEARCH_LENGTH.max) }),
  )
  listeners.action(ACTIONS.listPrevious, press)
  listeners.action(ACTIONS.listNext, press)
  listeners.action(ACTIONS.listShowAll, press)
  listeners.action(ACTIONS.drawHomeAgain, press)
  listeners.action(ACTIONS.listSort, choose)
  listeners.action(ACTIONS.listFilter, choose)
  listeners.action(ACTIONS.listSearch, openSearch)
  listeners.formSubmission(VIEWS.search, search)
  listeners.event(EVENTS.homeOpened, async (caller, { event }) => {
    if (event.tab !== 'home') return
    await homeTab.turnTo(caller, event.user, FIRST_PAGE, event.view === undefined)
  })

  return {
    async refresh(
      caller: Caller,
      target: ReplyTarget,
      position: string,
      notice?: Notice,
    ): Promise<void> {
      const list = await fetchList(caller, decodeListPosition(position), notice)
      await replies.send(caller.client, target, list)
    },
  }
}

const carried = z.object({
  position: z.string(),
  message: z
    .object({ responseUrl: z.string().optional(), channelId: z.string().optional() })
    .optional(),
})

export function searchModal(
  metadata: string,
  { q, tag }: ListPosition,
  asksTags: boolean,
): ModalView {
  const { min, max } = SEARCH_LENGTH
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
      ...(asksTags
        ? [
            textInput('search_tags', tag?.join(', '), {
              placeholder: LINK_FIELDS.tags.example,
              hint: 'Only links that have all of these tags. Separate them with commas.',
            }),
          ]
        : []),
    ],
  })
}

/**
 * Parses `[mine|<@USER>] [most_recent|created_at|updated_at|clicks] [asc|desc] [page] [tag:name …] [text]`, in any
 * order. The page can be written as `2` or as `page 2`. Every other word, and what is in quotes, is searched for.
 */
export function parseListText(text: string): ListPosition {
  const position = { ...FIRST_PAGE }
  const taken = new Map<keyof ListPosition, string>()
  const wanted: string[] = []
  const tags: string[] = []
  const take = <K extends keyof ListPosition>(key: K, value: ListPosition[K], word: string) => {
    const earlier = taken.get(key)
    if (earlier !== undefined && position[key] !== value) {
      throw new SlackInputError(
        `“${earlier}” and “${word}” don’t go together. Type one of them. To search for such a word, put it in quotes.`,
      )
    }
    taken.set(key, word)
    position[key] = value
  }
  const words = splitQuotedWords(text)
  for (const [index, { word, isQuoted }] of words.entries()) {
    const next = words[index + 1]
    const lower = isQuoted ? undefined : word.toLowerCase()
    const sort = OUR_SORT_FIELDS.find((field) => field === lower)
    const order = SORT_ORDERS.find((name) => name === lower)
    const [, user] = /^<@([UW][A-Z\d]+)(?:\|[^>]*)?>$/.exec(isQuoted ? '' : word) ?? []
    const [, tag] = /^(?:tags?[:=]|#)(.*)$/is.exec(isQuoted ? '' : word) ?? []
    if (tag !== undefined) tags.push(tag)
    else if (sort) take('sort_by', sort, word)
    else if (order) take('order', order, word)
    else if (!isQuoted && isNumber(word)) take('page', readPage(word), word)
    else if (lower === 'mine') take('mine', true, word)
    else if (user) take('by', user, '@…')
    else if (lower !== 'page' || !next || next.isQuoted || !isNumber(next.word)) {
      wanted.push(unwrapLink(word))
    }
  }
  if (position.mine && position.by) {
    throw new SlackInputError('“mine” and “@…” don’t go together. Type one of them.')
  }
  const textOrNone = wanted.length > 0 ? wanted.join(' ') : undefined
  return { ...position, ...readFilter(textOrNone, tags.length > 0 ? tags.join() : undefined) }
}

/** A longer number is searched for instead. */
const isNumber = (word: string): boolean => /^-?\d{1,9}$/.test(word)

function readPage(word: string): number {
  const page = parsePageNumber(word)
  if (page !== undefined) return page
  throw new SlackInputError(`“${word}” isn’t a page. Pages are numbered from 1.`)
}

export function readFilter(text?: string, tags?: string, isForm = false): ListFilter {
  const filter = {
    ...(text !== undefined && { q: cleanSearchText(text) }),
    ...(tags !== undefined && { tag: parseTags(tags) }),
  }
  const error = filterError(filter)
  if (!error) return filter
  throw new SlackInputError([isForm ? error : { message: error.message }])
}

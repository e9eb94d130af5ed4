import type { HomeView, ModalView } from '@slack/types'
import { expect, test } from 'vitest'
import { checkMessageBlocks, checkView } from '../../src/simulator/block-kit/check.ts'
import type { MessageContent } from '../../src/slack/block-kit/elements.ts'
import { LIMITS } from '../../src/slack/block-kit/limits.ts'
import { cut, escape } from '../../src/slack/block-kit/mrkdwn.ts'
import { noticeModal, problemMessage } from '../../src/slack/block-kit/notices.ts'
import { encodeLinkRef, linkRefOf } from '../../src/slack/block-kit/shown-link.ts'
import { copyableModal } from '../../src/slack/link-menu/menu-actions.ts'
import { homeView } from '../../src/slack/list/home-view.ts'
import { listMessage, type DrawnPage } from '../../src/slack/list/list-blocks.ts'
import { searchModal } from '../../src/slack/list/search-form.ts'
import { SEARCH_LENGTH, searchTextOf } from '../../src/slack/platform/link-pages.ts'
import {
  checklistModal,
  MAX_CHECKLIST_LINKS,
} from '../../src/slack/message-links/checklist-modal.ts'
import { linksCreatedMessage } from '../../src/slack/message-links/links-created.ts'
import { connectedModal, connectModal } from '../../src/slack/settings/connect-form.ts'
import { domainLines } from '../../src/slack/settings/domain-lines.ts'
import { inputTexts } from '../../src/slack/settings/lines.ts'
import {
  notSharedMessage,
  qrModal,
  sharedLinkMessage,
  sharedNoteMessage,
  sharedPictureMessage,
  shareModal,
} from '../../src/slack/share/share-messages.ts'
import {
  duplicateMessage,
  duplicateModal,
} from '../../src/slack/shorten/duplicate/duplicate-blocks.ts'
import { shortenModal } from '../../src/slack/shorten/form-view.ts'
import { helpMessage } from '../../src/slack/shorten/help.ts'
import { linkCreatedMessage, linkCreatedModal } from '../../src/slack/shorten/link-created.ts'
import { notConnectedModal } from '../../src/slack/shorten/open-form.ts'
import { brokenTexts } from '../support/broken-texts.ts'

/** The longest values that our link service allows, in the scripts that take up the most room. */
const LONG_URL = `https://example.com/${'x'.repeat(1980)}`
const EMOJI = '👩‍👩‍👧‍👦'.repeat(300)
const RIGHT_TO_LEFT = 'قصير '.repeat(800)
const ESCAPED = '<!channel> & '.repeat(300)
const HOST = `${'a.'.repeat(125)}com`

const picture = { slack_file: { id: 'F0000000001' } }
const noFailure = (): undefined => undefined

const created = (title: string) => ({
  shortlink: {
    name: 'x'.repeat(64),
    title,
    destination_url: LONG_URL,
    shortlink_url: `https://${HOST}/${'b'.repeat(100)}`,
    is_custom_preview: true,
  },
  utm: {
    utm_source: title,
    utm_medium: title,
    utm_campaign: title,
    utm_term: title,
    utm_content: title,
    utm_id: title,
  },
  qrColor: '#000000',
})

const domains = Array.from({ length: 100 }, (_, index) => ({
  name: `dom_${index}_`.padEnd(75, 'x'),
  domain_name: `${index}.${HOST}`,
}))

/** As many links as a page may have if the service ignores `per_page`. */
const listOf = (text: string): DrawnPage => ({
  links: Array.from({ length: 40 }, () => ({
    ...created(text).shortlink,
    created_at: '2026-11-20T10:00:00Z',
    clicks: Number.MAX_SAFE_INTEGER,
  })),
  skipped: 10,
  totalItems: Number.MAX_SAFE_INTEGER,
  hasNext: true,
  position: { sort_by: 'most_recent', order: 'desc', page: 999_999_999 },
})

const searchedListOf = (text: string): DrawnPage => {
  const list = listOf(text)
  const q = searchTextOf(text.slice(0, SEARCH_LENGTH.max))
  return { ...list, hasMore: true, isRecord: true, position: { ...list.position, q } }
}

const service = { host: HOST, domain: `go.${HOST}`, keyEnding: '<&>`' }

const messages: [string, (text: string) => MessageContent][] = [
  ['a created link', (text) => linkCreatedMessage(created(text), { picture, shareable: true })],
  [
    'a created link without its picture',
    (text) => linkCreatedMessage(created(text), { shareable: true }),
  ],
  ['a shared link', (text) => sharedLinkMessage(linkRefOf(created(text)), { by: 'U1', picture })],
  ['a link that was shared', (text) => sharedNoteMessage(linkRefOf(created(text)))],
  ['a picture that follows', (text) => sharedPictureMessage(linkRefOf(created(text)), picture)],
  ['help', (text) => helpMessage(text)],
  [
    'a problem',
    (text) =>
      problemMessage([text, text, text], {
        typed: text,
        command: text.slice(0, LIMITS.buttonValue),
      }),
  ],
  ['a list', (text) => listMessage(listOf(text))],
  ['a list of the matches of a search', (text) => listMessage(searchedListOf(text))],
  [
    'a duplicate',
    (text) =>
      duplicateMessage({ link: created(text), madeBy: { by: 'U1', at: 0 } }, picture, {
        command: LONG_URL.slice(0, 2000),
        typed: text,
      }),
  ],
  [
    'several links',
    (text) =>
      linksCreatedMessage(
        Array.from({ length: MAX_CHECKLIST_LINKS }, (_, index) => ({
          url: LONG_URL,
          ...(index % 2 ? { created: created(text) } : { failure: text }),
        })),
        'U1',
      ),
  ],
  ['a link that was not shared', (text) => notSharedMessage(linkRefOf(created(text)))],
]

const draft = (text: string) => ({
  destination_url: LONG_URL,
  back_half: 'b'.repeat(100),
  title: text,
  preview_title: text,
  preview_description: text,
  qr_code_enabled: true,
  qr_code_color: '#000000',
  ...created(text).utm,
})

const templates = Array.from({ length: 50 }, (_, index) => ({
  key: `${index}`.padEnd(22, 'k'),
  label: `${index} ${cut(EMOJI, 72)}`,
}))

const form = {
  domains,
  utm: {
    fillCount: 1000,
    presets: [{ key: 'last_used', label: `Last used: ${RIGHT_TO_LEFT}` }, ...templates],
    allowed: () => [],
  },
  defaultColor: '#1F4F46',
  showPreview: true,
  canUpload: true,
  asksWhere: true,
  answersInThread: true,
  metadata: 'x'.repeat(3000),
}

const views: [string, (text: string) => ModalView | HomeView][] = [
  ['the form', (text) => shortenModal({ ...form, draft: draft(text), notice: [text, text] })],
  [
    'the form with an uploaded image',
    (text) =>
      shortenModal({
        ...form,
        draft: { ...draft(text), preview_image: { id: 'F1', name: text } },
      }),
  ],
  [
    'the form as it opens',
    () =>
      shortenModal({
        ...form,
        utm: undefined,
        showPreview: false,
        draft: { qr_code_enabled: true },
      }),
  ],
  [
    'the form with values to choose from',
    (text) => {
      const values = Array.from({ length: 100 }, (_, index) => `${index} ${cut(text, 72)}`)
      const allowed = (field: string) => (/source|medium/.test(field) ? values : [])
      const utm = { ...form.utm, allowed }
      const value = values[99] ?? ''
      return shortenModal({
        ...form,
        utm,
        draft: { ...draft(text), utm_source: value, utm_medium: value },
      })
    },
  ],
  ['a workspace that is not connected', () => notConnectedModal()],
  ['the created link in a modal', (text) => linkCreatedModal(created(text))],
  ['a notice', (text) => noticeModal(text, escape(text))],
  [
    'the connect form',
    (text) =>
      connectModal({
        serviceUrl: LONG_URL,
        keyEnding: '1234',
        domains: inputTexts(domainLines(domains)),
        notice: [text],
      }),
  ],
  [
    'the confirmation of a connection',
    () => connectedModal(domains, { mayList: false, mayCreate: false, knowsDomains: false }),
  ],
  ['the Home tab', (text) => homeView({ service, isAdmin: true, links: listOf(text) })],
  [
    'the Home tab with a search',
    (text) => homeView({ service, isAdmin: true, links: searchedListOf(text) }),
  ],
  ['the search form', (text) => searchModal('x'.repeat(3000), text, [text])],
  [
    'the Home tab with an error',
    (text) =>
      homeView({
        service,
        isAdmin: true,
        links: {
          messages: [text, text],
          position: { sort_by: 'created_at', order: 'asc', page: 9 },
        },
      }),
  ],
  ['the Home tab of a workspace that is not connected', () => homeView({ isAdmin: true })],
  [
    'a duplicate in a modal',
    (text) =>
      duplicateModal({
        link: created(text),
        madeBy: { by: 'U1', at: 0 },
        picture,
        destination: LONG_URL.slice(0, 2000),
        answersInThread: true,
        viewKey: 'V'.repeat(255),
        metadata: 'x'.repeat(3000),
      }),
  ],
  [
    'the checklist',
    (text) =>
      checklistModal({
        links: Array.from({ length: MAX_CHECKLIST_LINKS }, () => ({ url: LONG_URL, ticked: true })),
        leftOut: { short: 99, slack: 99, tooLong: 99 },
        more: 99,
        domains,
        withQr: true,
        notice: [text, text],
        metadata: 'x'.repeat(3000),
      }),
  ],
  ['a QR code in a modal', (text) => qrModal(linkRefOf(created(text)), picture)],
  ['a QR code that can’t be shown', (text) => qrModal(linkRefOf(created(text)), undefined)],
  ['a link to copy in a modal', (text) => copyableModal(linkRefOf(created(text)))],
  [
    'the form to share a link',
    (text) =>
      shareModal(linkRefOf(created(text)), encodeLinkRef(linkRefOf(created(text))) ?? '', [text]),
  ],
]

const texts = [
  ['emoji', EMOJI],
  ['right-to-left text', RIGHT_TO_LEFT],
  ['text to be escaped', ESCAPED],
] as const

for (const [script, text] of texts) {
  test.each(messages)(`builds a message that Slack accepts in ${script}: %s`, (_name, build) => {
    const message = build(text)
    expect(checkMessageBlocks(message.blocks, noFailure)).toMatchObject({ ok: true })
    expect(message.text).toBeTruthy()
    expect(message.text.length).toBeLessThanOrEqual(40_000)
    expect(message.text).not.toContain('<!channel>')
    expect(brokenTexts(message)).toEqual([])
  })

  test.each(views)(`builds a view that Slack accepts in ${script}: %s`, (_name, build) => {
    const view = build(text)
    expect(checkView(view, view.type, noFailure)).toMatchObject({ ok: true })
    expect(brokenTexts(view)).toEqual([])
  })
}

import type { HomeView, ModalView } from '@slack/types'
import { expect, test } from 'vitest'
import { checkMessageBlocks, checkView } from '../../../src/playground/block-kit/check.ts'
import {
  alreadyShortened,
  alreadyShortenedModal,
} from '../../../src/slack/blocks/already-shortened.ts'
import { CHECKLIST_LINKS, checklistModal } from '../../../src/slack/blocks/checklist-modal.ts'
import { connectedModal, connectModal } from '../../../src/slack/blocks/connect-modal.ts'
import type { MessageContent } from '../../../src/slack/block-kit/elements.ts'
import { help } from '../../../src/slack/blocks/help.ts'
import { home } from '../../../src/slack/blocks/home.ts'
import {
  linkCreated,
  linkMade,
  linkNotShared,
  linkRef,
  linkShared,
  qrShown,
  qrShownModal,
} from '../../../src/slack/blocks/link-created.ts'
import { inputTexts } from '../../../src/slack/blocks/lines-inputs.ts'
import { linkList, type LinkListPage } from '../../../src/slack/blocks/link-list.ts'
import { encodeLinkRef } from '../../../src/slack/blocks/link-ref.ts'
import { linkText, linkTextModal } from '../../../src/slack/blocks/link-text.ts'
import { linksCreated } from '../../../src/slack/blocks/links-created.ts'
import { notConnectedModal } from '../../../src/slack/blocks/not-connected-modal.ts'
import { cut, LIMITS } from '../../../src/slack/blocks/limits.ts'
import { escape } from '../../../src/slack/blocks/mrkdwn.ts'
import { noticeModal } from '../../../src/slack/blocks/notice-modal.ts'
import { problem } from '../../../src/slack/blocks/problem.ts'
import { shareModal } from '../../../src/slack/blocks/share-modal.ts'
import { shortenModal } from '../../../src/slack/blocks/shorten-modal.ts'
import { domainLines } from '../../../src/slack/input/domain-lines.ts'
import { brokenTexts } from '../../support/broken-texts.ts'

/** The longest that a service of ours allows, in the scripts that take up the most room. */
const LONG_URL = `https://example.com/${'x'.repeat(1980)}`
const EMOJI = '👩‍👩‍👧‍👦'.repeat(300)
const RIGHT_TO_LEFT = 'قصير '.repeat(800)
const ESCAPED = '<!channel> & '.repeat(300)
const HOST = `${'a.'.repeat(125)}com`

const picture = { slack_file: { id: 'F0000000001' } }
const noFault = (): undefined => undefined

const created = (title: string) => ({
  shortlink: {
    name: 'lnk_1',
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

/** As many links as a page may have where a service takes no notice of `per_page`. */
const listOf = (text: string): LinkListPage => ({
  links: Array.from({ length: 40 }, () => ({
    ...created(text).shortlink,
    key: 'x'.repeat(64),
    created_at: '2026-11-20T10:00:00Z',
    clicks: Number.MAX_SAFE_INTEGER,
  })),
  skipped: 10,
  page: 999_999_999,
  totalItems: Number.MAX_SAFE_INTEGER,
  sortBy: 'most_recent',
  order: 'desc',
  position: 'most_recent:desc:999999999',
  previous: 'most_recent:desc:999999998',
  next: 'most_recent:desc:1000000000',
})

const service = { host: HOST, domain: `go.${HOST}`, keyEnding: '<&>`' }

const messages: [string, (text: string) => MessageContent][] = [
  ['a created link', (text) => linkCreated(created(text), { picture, shareable: true })],
  ['one without its picture', (text) => linkCreated(created(text), { shareable: true })],
  ['a shared link', (text) => linkShared(linkRef(created(text)), { by: 'U1', picture })],
  ['a QR code', (text) => qrShown(linkRef(created(text)), picture)],
  ['help', (text) => help(text)],
  [
    'a problem',
    (text) =>
      problem([text, text, text], { typed: text, command: text.slice(0, LIMITS.buttonValue) }),
  ],
  ['a list', (text) => linkList(listOf(text))],
  ['a link’s text', (text) => linkText(linkRef(created(text)))],
  [
    'a link that is there already',
    (text) =>
      alreadyShortened(
        { existing: created(text), made: { by: 'U1', at: 0 }, picture },
        { command: LONG_URL.slice(0, 2000), typed: text },
      ),
  ],
  [
    'several links',
    (text) =>
      linksCreated(
        Array.from({ length: CHECKLIST_LINKS }, (_, at) => ({
          url: LONG_URL,
          ...(at % 2 ? { created: created(text) } : { failure: text }),
        })),
        'U1',
      ),
  ],
  ['a link that was not shared', (text) => linkNotShared(linkRef(created(text)))],
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
    filled: 1000,
    fillings: [{ key: 'last_used', label: `Last used: ${RIGHT_TO_LEFT}` }, ...templates],
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
    'the form with an image kept',
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
  ['no connection', () => notConnectedModal()],
  ['the link made', (text) => linkMade(created(text))],
  ['a notice', (text) => noticeModal(text, escape(text))],
  [
    'the connect form',
    (text) =>
      connectModal({
        serviceUrl: LONG_URL,
        keyEnding: '1234',
        domains: inputTexts(domainLines(domains)),
        notice: text,
      }),
  ],
  ['connected', () => connectedModal(domains, false)],
  ['the Home tab', (text) => home({ service, isAdmin: true, links: listOf(text) })],
  [
    'the Home tab in trouble',
    (text) =>
      home({
        service,
        isAdmin: true,
        links: { messages: [text, text], position: 'created_at:asc:9' },
      }),
  ],
  ['the Home tab at the beginning', () => home({ isAdmin: true })],
  [
    'the form of a link that is there already',
    (text) =>
      alreadyShortenedModal({
        existing: created(text),
        made: { by: 'U1', at: 0 },
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
        links: Array.from({ length: CHECKLIST_LINKS }, () => ({ url: LONG_URL, ticked: true })),
        leftOut: { short: 99, slack: 99, tooLong: 99 },
        more: 99,
        domains,
        withQr: true,
        notice: [text, text],
        metadata: 'x'.repeat(3000),
      }),
  ],
  ['a QR code in a modal', (text) => qrShownModal(linkRef(created(text)), picture)],
  ['one without its picture in a modal', (text) => qrShownModal(linkRef(created(text)), undefined)],
  ['a link’s text in a modal', (text) => linkTextModal(linkRef(created(text)))],
  [
    'the form to share a link',
    (text) =>
      shareModal(linkRef(created(text)), encodeLinkRef(linkRef(created(text))) ?? '', [text]),
  ],
]

const texts = [
  ['emoji', EMOJI],
  ['right-to-left text', RIGHT_TO_LEFT],
  ['text to be escaped', ESCAPED],
] as const

for (const [script, text] of texts) {
  test.each(messages)(`%s in ${script} is a message that Slack takes`, (_name, build) => {
    const message = build(text)
    expect(checkMessageBlocks(message.blocks, noFault)).toMatchObject({ ok: true })
    expect(message.text).toBeTruthy()
    expect(message.text.length).toBeLessThanOrEqual(40_000)
    expect(message.text).not.toContain('<!channel>')
    expect(brokenTexts(message)).toEqual([])
  })

  test.each(views)(`%s in ${script} is a view that Slack takes`, (_name, build) => {
    const view = build(text)
    expect(checkView(view, view.type, noFault)).toMatchObject({ ok: true })
    expect(brokenTexts(view)).toEqual([])
  })
}

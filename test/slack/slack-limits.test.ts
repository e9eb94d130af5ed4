import type { HomeView, ModalView } from '@slack/types'
import { expect, test } from 'vitest'
import type { LinkClicks } from '../../src/contract/extension-calls.ts'
import { UTM_PARAMETERS } from '../../src/contract/link-fields.ts'
import { type LinkDetails, receivedListedLink } from '../../src/port/links.ts'
import { checkMessageBlocks, checkView } from '../../src/simulator/block-kit/check.ts'
import { LIMITS } from '../../src/slack/block-kit/elements.ts'
import { type MessageContent, qrMessage } from '../../src/slack/block-kit/messages.ts'
import { withFieldErrors } from '../../src/slack/platform/field-errors.ts'
import { linkMenu } from '../../src/slack/block-kit/link-menu.ts'
import { toShownLink } from '../../src/slack/block-kit/shown-link.ts'
import {
  filterError,
  FIRST_PAGE,
  SEARCH_LENGTH,
  cleanSearchText,
} from '../../src/slack/block-kit/list-position.ts'
import { cut, escape } from '../../src/slack/block-kit/mrkdwn.ts'
import { noticeModal, problemMessage } from '../../src/slack/block-kit/notices.ts'
import {
  chartMessage,
  chartText,
  clicksMessage,
  clicksModal,
} from '../../src/slack/clicks/click-blocks.ts'
import { deletedText, deleteModal } from '../../src/slack/link-menu/delete-link.ts'
import { toDraft } from '../../src/slack/link-menu/edit-draft.ts'
import { editedNotice } from '../../src/slack/link-menu/edit-form.ts'
import { turnedNotice } from '../../src/slack/link-menu/turn-link.ts'
import { homeView } from '../../src/slack/list/home-view.ts'
import type { DrawnPage } from '../../src/slack/list/link-rows.ts'
import { listMessage } from '../../src/slack/list/list-blocks.ts'
import { searchModal } from '../../src/slack/list/search-form.ts'
import { NO_RIGHTS } from '../../src/slack/links/links.ts'
import { checklistModal, MAX_CHECKLIST_LINKS } from '../../src/slack/message-links/checklists.ts'
import { linksCreatedMessage } from '../../src/slack/message-links/links-created.ts'
import { keptMessage, reminderMessage } from '../../src/slack/reminders/index.ts'
import { reportMessage, type ShownReport } from '../../src/slack/report/report-message.ts'
import { connectedModal } from '../../src/slack/settings/connect.ts'
import { sharedLinkMessage, shareModal } from '../../src/slack/share/share-link.ts'
import { duplicateMessage, duplicateModal } from '../../src/slack/shorten/duplicate/duplicates.ts'
import { shortenModal } from '../../src/slack/shorten/form-view.ts'
import { helpMessage } from '../../src/slack/shorten/help.ts'
import { linkCreatedMessage, linkCreatedModal } from '../../src/slack/shorten/deliver-link.ts'
import { DEFAULT_SETTINGS } from '../../src/workspaces/settings.ts'
import { brokenTexts } from '../support/broken-texts.ts'
import { ALL_OFFERS } from '../support/offers-document.ts'

/** The longest values that our link service allows, in the scripts that take up the most room. */
const LONG_URL = `https://example.com/${'x'.repeat(1980)}`
const EMOJI = '👩‍👩‍👧‍👦'.repeat(300)
const RIGHT_TO_LEFT = 'قصير '.repeat(800)
const ESCAPED = '<!channel> & '.repeat(300)
const HOST = `${'a.'.repeat(125)}com`

const picture = { slack_file: { id: 'F0000000001' } }

const created = (title: string) => ({
  name: 'x'.repeat(64),
  title,
  destination_url: LONG_URL,
  shortlink_url: `https://${HOST}/${'b'.repeat(100)}`,
  is_custom_preview: true,
  utm: Object.fromEntries(UTM_PARAMETERS.map((name) => [name, title])),
  tags: Array.from({ length: 10 }, () => title),
  qrColor: '#000000',
})

const domains = Array.from({ length: 100 }, (_, index) => ({
  name: `dom_${index}_`.padEnd(75, 'x'),
  domain_name: `${index}.${HOST}`,
}))

/** As many links as a page might have if the service ignores `per_page`. */
const listOf = (text: string): DrawnPage => ({
  links: Array.from({ length: 40 }, () => ({
    ...created(text),
    created_at: '2026-11-20T10:00:00Z',
    clicks: Number.MAX_SAFE_INTEGER,
  })),
  skipped: 10,
  totalItems: Number.MAX_SAFE_INTEGER,
  hasNext: true,
  position: { sort_by: 'most_recent', order: 'desc', page: 999_999_999 },
  rights: NO_RIGHTS,
  now: 1,
})

/** The matches of a search, in which the user can change every link. Some are off or have expired. */
const changeableListOf = (text: string): DrawnPage => {
  const list = listOf(text)
  // The longest words that fit into a search beside a tag.
  const tag = ['print']
  const q = Array.from({ length: SEARCH_LENGTH.max }, (_, cut) =>
    cleanSearchText(text.slice(0, SEARCH_LENGTH.max - cut)),
  ).find((part) => filterError({ q: part, tag }) === undefined)
  const links = list.links.map((link, index) => ({
    ...link,
    enabled: index % 2 === 0,
    expires_at: index % 3 === 0 ? '9999-12-31T23:59:59.999Z' : '0001-01-01T00:00:00',
  }))
  const changeable = new Set(links.map(({ shortlink_url: url }) => url))
  const position = { ...list.position, q, tag, mine: true as const }
  const rights = { ...NO_RIGHTS, capabilities: ALL_OFFERS, changeable }
  return { ...list, hasMore: true, isRecord: true, links, position, rights }
}

/** As many links as a page usually has, with what was done with the first. */
const afterTurningOff = (text: string): DrawnPage => {
  const { links, ...list } = changeableListOf(text)
  const page = links.slice(0, 14).map((link, index) => ({ ...link, name: `lnk_${index}` }))
  const notice = turnedNotice({ ...created(text), name: 'lnk_1' }, false, '"1"')
  return { ...list, links: page, notice }
}

const LONG_SHORT_URL = `https://${HOST}/${'&'.repeat(1_700)}`

/** A link with the longest values that are read, and with some of odd types. */
const readLinkOf = (text: string): LinkDetails => ({
  ...receivedListedLink.parse({
    name: 'x'.repeat(1_000),
    title: text.padEnd(10_000, '<!channel>'),
    destination_url: `https://example.com/${'&'.repeat(19_000)}`,
    shortlink_url: LONG_SHORT_URL,
    enabled: 'false',
    expires_at: '2026-02-28T23:59:59.123456789',
    clicks: -1,
    preview_title: text.slice(0, 5_000),
    preview_description: [text],
    preview_image: 'javascript:alert(1)',
    qr_code_enabled: true,
  }),
  domain: text,
  back_half: text,
  qr_code_color: '#1F4F46',
  utm_source: text,
})

/** 366 days, ten referrers, and counts up to a quadrillion. */
const clicksOf = (text: string): LinkClicks => ({
  from: '1970-01-01',
  to: '1971-01-01',
  days: Array.from({ length: 366 }, (_, index) => ({
    date: new Date(index * 86_400_000).toISOString().slice(0, 10),
    people: 1e15,
    bots: 1e15,
  })),
  total_people: 1e15,
  total_bots: 1e15,
  all_time_people: Number.MAX_SAFE_INTEGER,
  referrers: Array.from({ length: 10 }, (_, index) => ({
    host: text.slice(0, 253),
    people: 1e15 - index,
  })),
})

const clickedOf = (text: string) => ({
  name: 'lnk_1',
  shortlink_url: LONG_SHORT_URL,
  destination_url: LONG_URL,
  title: text,
})

const countedOf = (text: string) => ({ link: clickedOf(text), clicks: clicksOf(text) })

const service = { host: HOST, domain: `go.${HOST}`, keyEnding: '<&>`' }

const duplicateOf = (text: string) => ({
  link: created(text),
  record: { createdBy: 'U1', created_at: '1970-01-01T00:00:00.000Z' },
  unusedBackHalf: text,
})

/** The longest report that can be asked for. */
function reportOf(text: string): ShownReport {
  const days = Array.from({ length: 366 }, () => 1_000_000)
  const [from, to] = ['2026-01-01', '2027-01-01']
  const groups = [1, 2, 3, 4, 5].map((index) => ({
    name: `${index}`,
    label: `${LONG_SHORT_URL}${index}`,
    title: text,
    people: 366_000_000,
    previous_people: 1,
    days,
  }))
  const report = {
    from,
    to,
    previous_from: '2024-12-31',
    previous_to: '2025-12-31',
    has_more: true,
    total_people: 2e9,
    previous_people: 1,
    groups,
    group_by: 'link' as const,
    days: days.map((people) => ({ date: from, people })),
  }
  const utm = text.slice(0, 255)
  const tag = Array.from({ length: 10 }, (_, index) => `${index}`.padEnd(40, 'ش'))
  const query = { from, to, tag, utm_campaign: utm, utm_source: utm, utm_medium: utm }
  return {
    query: { ...query, group_by: 'utm_source', limit: 10 },
    report: { ...report, group_by: 'utm_source' },
    links: report,
    now: Date.parse(to),
  }
}

const messages: Record<string, (text: string) => MessageContent> = {
  'a created link': (text) => linkCreatedMessage(created(text), { picture, shareable: true }),
  'a shared link': (text) => sharedLinkMessage(created(text), 'U1', picture),
  'a picture that follows': (text) => qrMessage(created(text).shortlink_url, picture),
  help: (text) => helpMessage(ALL_OFFERS, [], text),
  'a problem': (text) =>
    problemMessage([text, text, text], { typed: text, command: text.slice(0, LIMITS.buttonValue) }),
  'a list': (text) => listMessage(listOf(text)),
  'a duplicate': (text) =>
    duplicateMessage(duplicateOf(text), picture, { command: LONG_URL.slice(0, 2000), typed: text }),
  'several links': (text) =>
    linksCreatedMessage(
      Array.from({ length: MAX_CHECKLIST_LINKS }, (_, index) => ({
        url: LONG_URL,
        ...(index % 2 ? { created: created(text) } : { failure: text }),
      })),
      'U1',
    ),
  'a list with filters and every menu': (text) => listMessage(changeableListOf(text)),
  'a list after a link was turned off': (text) => listMessage(afterTurningOff(text)),
  'an expired link that was turned on': (text) => {
    const link = { ...created(text), shortlink_url: LONG_SHORT_URL, state: 'expired' as const }
    return linkCreatedMessage(link, { shareable: true, notice: turnedNotice(link, true) })
  },
  'a created link with a menu': (text) => {
    const link = toShownLink(readLinkOf(text), 0)
    const name = 'x'.repeat(1_000)
    const menu = linkMenu({ name }, { capabilities: ALL_OFFERS, mayChange: true })
    return linkCreatedMessage(link, { picture, shareable: true, menu })
  },
  clicks: (text) => clicksMessage(countedOf(text), 0, picture),
  'clicks without a chart': (text) => clicksMessage(countedOf(text), 0, 'not_allowed'),
  'clicks without days': (text) => clicksMessage({ link: clickedOf(text), total: 1e15 }, 0),
  'a chart': (text) => chartMessage(text, chartText(clickedOf(text), clicksOf(text)), picture),
  'a chart that can’t be shown': (text) => chartMessage(text, text, undefined),
  'a report': (text) => reportMessage(reportOf(text), { picture, direct: false }),
  'a report without a chart': (text) =>
    reportMessage(reportOf(text), { picture: 'not_allowed', direct: false }, []),
  'a reminder': (text) =>
    reminderMessage({ ...readLinkOf(text), expires_at: '9999-12-31T23:59:59.999Z' }, 'lnk_1'),
  'a kept link': (text) => keptMessage({ ...readLinkOf(text), enabled: false }),
}

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
    naming: DEFAULT_SETTINGS.naming,
    visitedUrl: `https://example.com/${EMOJI}`.repeat(400),
    hasErrors: false,
  },
  state: { reply: { userId: 'U1', inChannel: true }, showUtm: true, showPreview: true },
  capabilities: { ...ALL_OFFERS, usedDestination: 'findable' as const },
  defaultColor: '#1F4F46',
  canUpload: true,
  usedTags: Array.from({ length: 5 }, () => RIGHT_TO_LEFT.slice(0, 40)),
  now: 1,
  metadata: 'x'.repeat(3000),
}

const edit = { name: 'x', shortUrl: LONG_SHORT_URL, base: '', hasImage: true }

function withWarnings(view: ModalView, text: string): ModalView {
  const issues = [{ message: text }, { field: 'title', message: text } as const]
  return { ...view, blocks: withFieldErrors(view.blocks, issues) }
}

const views: Record<string, (text: string) => ModalView | HomeView> = {
  'the form': (text) => withWarnings(shortenModal({ ...form, draft: draft(text) }), text),
  'the form with an uploaded image': (text) =>
    shortenModal({ ...form, draft: { ...draft(text), preview_image: { id: 'F1', name: text } } }),
  'the form as it opens': () => {
    const state = { ...form.state, showUtm: false, showPreview: false }
    return shortenModal({ ...form, state, draft: { qr_code_enabled: true } })
  },
  'the form with values to choose from': (text) => {
    const values = Array.from({ length: 100 }, (_, index) => `${index} ${cut(text, 72)}`)
    const naming = { ...DEFAULT_SETTINGS.naming, sources: values, mediums: values }
    const utm = { ...form.utm, naming }
    const [utm_source = '', utm_medium = ''] = values
    return shortenModal({ ...form, utm, draft: { ...draft(text), utm_source, utm_medium } })
  },
  'the form to edit a link': (text) =>
    withWarnings(
      shortenModal({
        ...form,
        domains: [...domains, { name: 'own', domain_name: HOST }],
        state: { ...form.state, edit },
        draft: toDraft(readLinkOf(text), domains, ALL_OFFERS.editable),
      }),
      text,
    ),
  'the form to edit a link with everything at its longest': (text) =>
    shortenModal({
      ...form,
      state: { ...form.state, edit: { ...edit, state: 'expired' } },
      draft: { ...draft(text), expires_at: '9999-12-31T23:59:59Z', remove_image: true },
    }),
  'the question before a deletion': (text) =>
    deleteModal({ ...clickedOf(text), clicks: 1e15 }, 'x'.repeat(3000), ALL_OFFERS),
  'a deleted link': () => noticeModal('Delete a link', deletedText(LONG_SHORT_URL, true)),
  'an edited link': (text) =>
    noticeModal(
      'Edit a link',
      editedNotice(readLinkOf(text), [text, text], LONG_SHORT_URL, true).text,
    ),
  'the clicks in a modal': (text) => clicksModal(countedOf(text), 0, picture),
  'the Home tab with filters and every menu': (text) =>
    homeView({ service, isAdmin: true, links: changeableListOf(text) }),
  'the created link in a modal': (text) => linkCreatedModal(created(text)),
  'a notice': (text) => noticeModal(text, escape(text)),
  'the confirmation of a connection': () =>
    connectedModal({ domains, mayList: false, mayCreate: false, knowsDomains: false }),
  'the Home tab': (text) => homeView({ service, isAdmin: true, links: listOf(text) }),
  'the search form': (text) =>
    searchModal('x'.repeat(3000), { ...FIRST_PAGE, q: text, tag: [text] }, true),
  'the Home tab with an error': (text) =>
    homeView({
      service,
      isAdmin: true,
      links: {
        messages: [text, text],
        notice: turnedNotice(created(text), false, '"1"'),
        position: { sort_by: 'created_at', order: 'asc', page: 9 },
      },
    }),
  'the Home tab of a workspace that is not connected': () => homeView({ isAdmin: true }),
  'a duplicate in a modal': (text) => duplicateModal(duplicateOf(text), 'x'.repeat(3000), true),
  'the checklist': () =>
    checklistModal(
      {
        links: Array.from({ length: MAX_CHECKLIST_LINKS + 99 }, () => LONG_URL),
        leftOut: { short: 99, slack: 0, tooLong: 0 },
      },
      domains,
      {
        qr: { enabled: true },
        templates: templates.map(({ label }) => ({ name: label, values: {} })),
      },
      'x'.repeat(3000),
    ),
  'a link that is turned off, to copy': (text) =>
    shareModal(toShownLink(readLinkOf(text), 0), picture),
  'the Home tab after a link was turned off': (text) =>
    homeView({ service, isAdmin: true, links: afterTurningOff(text) }),
  'the Home tab after the last link was deleted': (text) =>
    homeView({ service, isAdmin: true, links: { ...afterTurningOff(text), links: [] } }),
  'the form to share a link': (text) => shareModal(created(text), picture, [text]),
}

const texts = [
  ['emoji', EMOJI],
  ['right-to-left text', RIGHT_TO_LEFT],
  ['text to be escaped', ESCAPED],
] as const

for (const [script, text] of texts) {
  test.each(Object.entries(messages))(
    `builds a message that Slack accepts in ${script}: %s`,
    (_name, build) => {
      const message = build(text)
      expect(() => checkMessageBlocks(message.blocks)).not.toThrow()
      expect(message.text).toBeTruthy()
      expect(message.text.length).toBeLessThanOrEqual(40_000)
      expect(message.text).not.toContain('<!channel>')
      expect(brokenTexts(message)).toEqual([])
    },
  )

  test.each(Object.entries(views))(
    `builds a view that Slack accepts in ${script}: %s`,
    (_name, build) => {
      const view = build(text)
      expect(() => checkView(view, view.type)).not.toThrow()
      expect(brokenTexts(view)).toEqual([])
    },
  )
}

import type { ModalView } from '@slack/types'
import { describe, expect, test } from 'vitest'
import type { ListedLink } from '../../../src/client/link-page.ts'
import {
  copyableModal,
  createMenuActions,
  type SimpleChoice,
} from '../../../src/slack/link-menu/menu-actions.ts'
import type { MenuChoice } from '../../../src/slack/block-kit/link-menu.ts'
import type { LinkService } from '../../../src/slack/links/link-service.ts'
import { createSharing } from '../../../src/slack/share/sharing.ts'
import { fakeCaller, fakePlatform, NO_LINK_SERVICE } from '../../support/platform.ts'

/** A service with links of these names on its pages, and the pages that were fetched. */
function serviceWith(pages: Record<number, string[]>, more: Partial<ListedLink> = {}) {
  const fetched: (number | undefined)[] = []
  const linkService: LinkService = {
    ...NO_LINK_SERVICE,
    async list(_workspace, { page = 1 }) {
      fetched.push(page)
      const links = (pages[page] ?? []).map((name) => ({
        name,
        destination_url: 'https://example.com/page',
        shortlink_url: 'https://go.example.com/x',
        ...more,
      }))
      return { links, skipped: 0, page, perPage: 10, hasNext: false }
    },
  }
  return { linkService, fetched }
}

describe('the choices of a menu', () => {
  const CALLER = fakeCaller()
  const TARGET = { userId: 'U_ANA', responseUrl: 'https://hooks.example.com/1' }
  const choose = (choice: SimpleChoice): MenuChoice & { choice: SimpleChoice } => ({
    choice,
    key: 'a',
    position: 'most_recent:desc:1',
  })

  function setUp(more: Partial<ListedLink> = {}) {
    const drawn: unknown[] = []
    const platform = fakePlatform(
      {
        linkService: serviceWith({ 1: ['a'] }, more).linkService,
        qrPictures: {
          async picture(_client, content) {
            drawn.push(content)
            return { slack_file: { id: 'F0123456789' } }
          },
        },
      },
      { qr: { enabled: false, color: '#1F4F46' } },
    )
    const actions = createMenuActions(platform, createSharing(platform))
    const views: ModalView[] = []
    const show = async (view: ModalView): Promise<void> => void views.push(view)
    return { actions, drawn, views, show, sent: platform.sent, tasks: platform.tasks }
  }

  test('answer in a modal, and share the link in the conversation of the list', async () => {
    const { actions, sent, drawn, views, show } = setUp({ title: 'Spring' })
    for (const choice of ['copy', 'qr', 'share', 'share'] as const) {
      await actions.answer(CALLER, choose(choice), show, { target: TARGET, messageTs: '1.1' })
    }
    expect(sent.map(({ target, message: { text } }) => ({ target, text }))).toEqual([
      {
        target: { ...TARGET, inChannel: true },
        text: '<@U_ANA> shared a short link: https://go.example.com/x',
      },
    ])
    expect(views).toMatchObject([
      { title: { text: 'Copy as text' } },
      { title: { text: 'QR code' } },
      { blocks: [{ text: { text: 'The link has been shared.' } }] },
      {
        blocks: [
          {
            text: {
              text: 'You have already shared this link here. To share it again, reopen the list.',
            },
          },
        ],
      },
    ])
    // Only the QR code was drawn, in the workspace’s color: this link was made without one.
    expect(drawn).toEqual([{ text: 'https://go.example.com/x', color: '#1F4F46' }])
  })

  test('ask in the Home tab where to share the link', async () => {
    const { actions, views, show, sent } = setUp()
    for (const choice of ['copy', 'qr', 'share'] as const) {
      await actions.answer(CALLER, choose(choice), show)
    }
    expect(views).toMatchObject([
      { callback_id: 'notice', title: { text: 'Copy as text' } },
      {
        callback_id: 'notice',
        title: { text: 'QR code' },
        blocks: [{ type: 'section' }, { type: 'image', slack_file: { id: 'F0123456789' } }],
      },
      {
        callback_id: 'share_form',
        private_metadata: '["https://go.example.com/x","https://example.com/page","",""]',
      },
    ])
    expect(sent).toEqual([])
  })

  test('share a link with its QR code if it was made with one', async () => {
    const { actions, views, show, sent, drawn, tasks } = setUp({ qr_code_enabled: true })
    await actions.answer(CALLER, choose('share'), show, { target: TARGET, messageTs: '1.1' })
    await tasks.drained()
    expect(drawn).toEqual([{ text: 'https://go.example.com/x', color: '#1F4F46' }])
    expect(JSON.stringify(sent)).toContain('slack_file')
    await actions.answer(CALLER, choose('share'), show)
    expect(views[1]?.private_metadata).toContain('"#1F4F46"')
  })

  test('explain that a link is too long to be shared from a modal', async () => {
    const shortlink_url = `https://go.example.com/${'x'.repeat(2_000)}`
    const { actions, show } = setUp({ shortlink_url })
    await expect(actions.answer(CALLER, choose('share'), show)).rejects.toThrow(
      'This link is too long to be shared from here.',
    )
  })
})

test('a link can be copied alone, and with its title and destination', () => {
  const ref = {
    shortUrl: 'https://go.example.com/x?a&b',
    title: 'Spring',
    destination: 'https://example.com/',
  }
  const code = (text: string) => ({
    type: 'rich_text',
    elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }],
  })
  const context = (text: string) => ({ type: 'context', elements: [{ type: 'mrkdwn', text }] })
  const blocks = [
    context('The short link:'),
    code('https://go.example.com/x?a&b'),
    context('With its title and destination:'),
    code('Spring\nhttps://go.example.com/x?a&b\nhttps://example.com/'),
  ]
  expect(copyableModal(ref)).toMatchObject({ title: { text: 'Copy as text' }, blocks })
})

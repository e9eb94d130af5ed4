import type { ModalView } from '@slack/types'
import { describe, expect, test } from 'vitest'
import type { ListedLink } from '../../../src/client/link-page.ts'
import {
  answerSimpleChoice,
  copyableModal,
  type ListMessage,
} from '../../../src/slack/link-menu/index.ts'
import type { LinkService } from '../../../src/slack/links/link-service.ts'
import { createSharing } from '../../../src/slack/share/index.ts'
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
  const CHOICE = { choice: 'share', key: 'a', position: 'most_recent:desc:1' } as const

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
    const sharing = createSharing(platform)
    const views: ModalView[] = []
    const show = async (view: ModalView): Promise<void> => void views.push(view)
    const share = (list?: ListMessage): Promise<void> =>
      answerSimpleChoice(platform, sharing, CALLER, CHOICE, show, list)
    return { share, drawn, views, sent: platform.sent, tasks: platform.tasks }
  }

  test('share a link with its QR code if it was made with one', async () => {
    const { share, views, sent, drawn, tasks } = setUp({ qr_code_enabled: true })
    await share({ target: TARGET, messageTs: '1.1' })
    await tasks.drained()
    expect(drawn).toEqual([{ text: 'https://go.example.com/x', color: '#1F4F46' }])
    expect(JSON.stringify(sent)).toContain('slack_file')
    await share()
    expect(views[1]?.private_metadata).toContain('"#1F4F46"')
  })

  test('explain that a link is too long to be shared from a modal', async () => {
    const shortlink_url = `https://go.example.com/${'x'.repeat(2_000)}`
    const { share } = setUp({ shortlink_url })
    await expect(share()).rejects.toThrow('This link is too long to be shared from here.')
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

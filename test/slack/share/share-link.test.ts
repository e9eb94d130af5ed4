import { expect, test } from 'vitest'
import { code } from '../../../src/slack/block-kit/elements.ts'
import { encodeLink, type ShownLink } from '../../../src/slack/block-kit/shown-link.ts'
import { QR_NOT_ALLOWED } from '../../../src/slack/block-kit/messages.ts'
import { sharedLinkMessage, shareModal } from '../../../src/slack/share/share-link.ts'

const ref: ShownLink = {
  shortlink_url: 'https://go.example.com/spring',
  destination_url: 'https://example.com/some/long/page',
  title: 'Spring <!channel>',
  qrColor: '#1F4F46',
}

test('a shared link shows everyone who shared it', () => {
  expect(sharedLinkMessage(ref, 'U1', { slack_file: { id: 'F0000000001' } })).toEqual({
    text: '<@U1> shared a short link: https://go.example.com/spring',
    blocks: [
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: '*Spring &lt;!channel&gt;*\n:link: *<https://go.example.com/spring|https://go.example.com/spring>*\nleads to <https://example.com/some/long/page|example.com/some/long/page>',
        },
      },
      {
        type: 'image',
        alt_text: 'QR code for https://go.example.com/spring',
        slack_file: { id: 'F0000000001' },
      },
      { type: 'context', elements: [{ type: 'mrkdwn', text: 'Shared by <@U1>' }] },
    ],
  })
})

test('explains why there is no QR code to pass on', () => {
  expect(JSON.stringify(shareModal(ref, undefined))).toContain(
    'Slack doesn’t accept the QR image right now.',
  )
  expect(JSON.stringify(shareModal(ref, 'not_allowed'))).toContain(QR_NOT_ALLOWED)
})

test.each<[string, Partial<ShownLink>, string]>([
  ['is turned off', { state: 'off' }, 'is turned off. Turn it on, then use it.'],
  [
    'is too long',
    { shortlink_url: `https://go.example.com/${'x'.repeat(2_000)}` },
    'This link is too long to be shared from here.',
  ],
])('a link that %s can be copied, but not shared', (_state, link, text) => {
  const { submit, blocks } = shareModal({ ...ref, ...link }, 'follows')
  expect(submit).toBeUndefined()
  expect(JSON.stringify(blocks)).toContain(text)
  expect(JSON.stringify(blocks)).toContain('preformatted')
  expect(JSON.stringify(blocks)).not.toContain('share_in')
})

test('shows the link, where it leads and its short URL to copy, and asks for a conversation', () => {
  const { destination_url: _, ...rest } = ref
  const known = { ...rest, title: 'A & B', lastKnownDestination: 'bank.example' }
  const modal = shareModal(known, 'follows', ['Slack <is> down.'])
  expect(modal).toMatchObject({
    callback_id: 'share_form',
    private_metadata: encodeLink(known),
    submit: { text: 'Share' },
  })
  expect(modal.blocks).toEqual([
    {
      type: 'section',
      text: { type: 'mrkdwn', text: ':warning: Slack &lt;is&gt; down.' },
      block_id: expect.stringMatching(/^warning:/) as string,
    },
    {
      type: 'section',
      text: {
        type: 'mrkdwn',
        text: '*A &amp; B*\n:link: *<https://go.example.com/spring|https://go.example.com/spring>*\nleads to bank.example, as last known',
      },
    },
    code('https://go.example.com/spring'),
    {
      type: 'input',
      block_id: 'share_in',
      optional: false,
      label: { type: 'plain_text', text: 'Share in', emoji: true },
      element: {
        type: 'conversations_select',
        response_url_enabled: true,
        default_to_current_conversation: true,
        action_id: 'input',
      },
      hint: {
        type: 'plain_text',
        text: 'Everyone there sees the link, and that you shared it.',
        emoji: true,
      },
    },
  ])
})

import { expect, test } from 'vitest'
import { QR_NOT_ALLOWED, type ShownLink } from '../../../src/slack/block-kit/shown-link.ts'
import { qrModal, shareModal, sharedLinkMessage } from '../../../src/slack/share/share-messages.ts'

const ref: ShownLink = {
  shortlink_url: 'https://go.example.com/spring',
  destination_url: 'https://example.com/some/long/page',
  title: 'Spring <!channel>',
  qrColor: '#1F4F46',
}

test('a shared link shows everyone who shared it', () => {
  expect(
    sharedLinkMessage(ref, { by: 'U1', picture: { slack_file: { id: 'F0000000001' } } }),
  ).toEqual({
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

test('explains that Slack does not accept a QR code', () => {
  const explained = (text: string): unknown => ({ blocks: [{ text: { text } }] })
  expect(qrModal(ref.shortlink_url, undefined)).toMatchObject(
    explained(
      ':warning: Slack doesn’t accept the QR image right now. Try again in a minute.',
    ) as object,
  )
  expect(qrModal(ref.shortlink_url, 'not_allowed')).toMatchObject(
    explained(`:warning: ${QR_NOT_ALLOWED}`) as object,
  )
})

test('the form that asks for a conversation carries the link and shows it', () => {
  expect(shareModal({ ...ref, title: 'A & B' }, 'encoded', ['Slack <is> down.'])).toEqual({
    type: 'modal',
    callback_id: 'share_form',
    private_metadata: 'encoded',
    title: { type: 'plain_text', text: 'Share a link', emoji: true },
    submit: { type: 'plain_text', text: 'Share', emoji: true },
    close: { type: 'plain_text', text: 'Cancel', emoji: true },
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: ':warning: Slack &lt;is&gt; down.' } },
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: '*A &amp; B*\n<https://go.example.com/spring|go.example.com/spring>',
        },
      },
      {
        type: 'input',
        block_id: 'share_in',
        optional: false,
        label: { type: 'plain_text', text: 'Share in', emoji: true },
        element: {
          type: 'conversations_select',
          response_url_enabled: true,
          action_id: 'input',
        },
        hint: {
          type: 'plain_text',
          text: 'Everyone there sees the link, and that you shared it.',
          emoji: true,
        },
      },
    ],
  })
})

import { expect, test } from 'vitest'
import { welcome } from '../../../src/slack/blocks/welcome.ts'
import { ACTIONS } from '../../../src/slack/ids.ts'

const help = {
  type: 'context',
  elements: [
    {
      type: 'mrkdwn',
      text: '`/shorten help` shows what else there is. Nobody else sees this message.',
    },
  ],
}

test('in a workspace that is connected, the next step is a link', () => {
  expect(welcome(true)).toEqual({
    text: 'Thank you for installing Backhalf. Next: type /shorten https://example.com',
    blocks: [
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: '*Thank you for installing Backhalf.* Make your first short link now, or type it in any conversation: `/shorten https://example.com`',
        },
      },
      {
        type: 'actions',
        elements: [
          {
            type: 'button',
            action_id: ACTIONS.openForm,
            text: { type: 'plain_text', text: 'Shorten a link', emoji: true },
            style: 'primary',
          },
        ],
      },
      help,
    ],
  })
})

test('in one that is not, it is connecting it, and nothing else is offered', () => {
  expect(welcome(false)).toEqual({
    text: 'Thank you for installing Backhalf. Next: type /shorten connect',
    blocks: [
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: '*Thank you for installing Backhalf.* Before the first link, connect this workspace to your link service. An admin does that once, in any conversation: `/shorten connect`',
        },
      },
      help,
    ],
  })
})

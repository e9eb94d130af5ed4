import { expect, test } from 'vitest'
import { welcomeMessage } from '../../../src/slack/install/installer.ts'
import { ACTIONS } from '../../../src/slack/ids.ts'

const help = {
  type: 'context',
  elements: [
    {
      type: 'mrkdwn',
      text: '`/shorten help` shows what else you can do. Only you see this message.',
    },
  ],
}

test('suggests the first link in a workspace that is connected', () => {
  expect(welcomeMessage(true)).toEqual({
    text: 'Thank you for installing Backhalf. Next: type /shorten https://example.com',
    blocks: [
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: '*Thank you for installing Backhalf.* Make your first short link now, or type this in any conversation: `/shorten https://example.com`',
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

test('suggests only to connect a workspace that is not connected', () => {
  expect(welcomeMessage(false)).toEqual({
    text: 'Thank you for installing Backhalf. Next: type /shorten connect',
    blocks: [
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: '*Thank you for installing Backhalf.* Before the first link, an admin connects this workspace to your link service. To do that, type this in any conversation: `/shorten connect`',
        },
      },
      help,
    ],
  })
})

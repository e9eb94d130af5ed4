import { expect, test } from 'vitest'
import { problemMessage } from '../../../src/slack/block-kit/notices.ts'
import { ACTIONS } from '../../../src/slack/ids.ts'

test('shows what the user typed uncut and without markup, to be copied', () => {
  const typed = `Destination: https://example.com/${'x'.repeat(1980)}\nTitle: *<b>* & \`c\`\n${'y'.repeat(3000)}`
  expect(problemMessage(['It *failed*.', 'Try <again>.'], { typed })).toEqual({
    text: 'It *failed*.\nTry &lt;again&gt;.',
    blocks: [
      {
        type: 'section',
        text: { type: 'mrkdwn', text: ':warning: It *failed*.\n:warning: Try &lt;again&gt;.' },
      },
      { type: 'context', elements: [{ type: 'mrkdwn', text: 'You typed:' }] },
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: typed }] }],
      },
    ],
  })
})

test('offers to change a command, and carries it in the button', () => {
  const { blocks } = problemMessage(['No.'], { command: 'https://example.com taken' })
  expect(blocks.slice(1)).toEqual([
    {
      type: 'actions',
      elements: [
        {
          type: 'button',
          action_id: ACTIONS.changeCommand,
          text: { type: 'plain_text', text: 'Change something', emoji: true },
          value: 'https://example.com taken',
        },
      ],
    },
  ])
})

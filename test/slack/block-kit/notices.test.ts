import { expect, test } from 'vitest'
import { problemMessage } from '../../../src/slack/block-kit/notices.ts'

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

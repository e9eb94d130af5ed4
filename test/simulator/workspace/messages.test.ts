import { expect, test } from 'vitest'
import { asMrkdwn } from '../../../src/playground/mrkdwn.ts'

test.each([
  ['see https://example.com/a?b=1&c=2.', 'see <https://example.com/a?b=1&amp;c=2>.'],
  ['(https://example.com)', '(<https://example.com>)'],
  ['<https://example.com>', '&lt;<https://example.com>&gt;'],
  ['no link: example', 'no link: example'],
])('%s is stored as %s', (written, stored) => {
  expect(asMrkdwn(written)).toBe(stored)
})

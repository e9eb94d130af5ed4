import { expect, test } from 'vitest'
import { toMrkdwn } from '../../../src/simulator/workspace/messages.ts'

test.each([
  ['see https://example.com/a?b=1&c=2.', 'see <https://example.com/a?b=1&amp;c=2>.'],
  ['(https://example.com)', '(<https://example.com>)'],
  ['<https://example.com>', '&lt;<https://example.com>&gt;'],
  ['no link: example', 'no link: example'],
])('stores “%s” as “%s”', (typed, stored) => {
  expect(toMrkdwn(typed)).toBe(stored)
})

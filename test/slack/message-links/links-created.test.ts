import { expect, test } from 'vitest'
import { isMessageTooLong } from '../../../src/simulator/block-kit/check.ts'
import { MAX_CHECKLIST_LINKS } from '../../../src/slack/message-links/checklists.ts'
import type { ShownLink } from '../../../src/slack/block-kit/shown-link.ts'
import {
  linksCreatedMessage,
  type BatchResult,
} from '../../../src/slack/message-links/links-created.ts'

const linkTo = (shortlink_url: string, qrColor?: string): ShownLink => ({
  shortlink_url,
  destination_url: 'https://example.com/a',
  title: 'A title',
  ...(qrColor && { qrColor }),
})

const url = 'https://example.com/a'
const created = linkTo('https://go.example.com/1')
const duplicate = linkTo('https://go.example.com/2')
const failure = 'No.'

test.each<[string, BatchResult[]]>([
  ['shortened 1 link', [{ url, created }]],
  [
    'shortened 1 link; 1 already had a short link; 1 could not be shortened',
    [
      { url, created },
      { url, duplicate },
      { url, failure },
    ],
  ],
  [
    'asked for short links; 2 already had a short link',
    [
      { url, duplicate },
      { url, duplicate },
    ],
  ],
])('says at its top: %s', (summary, results) => {
  const { text, blocks } = linksCreatedMessage(results, 'U1')
  expect(text.split('\n')[0]).toBe(`<@U1> ${summary}:`)
  expect(blocks[0]).toMatchObject({ text: { text: `<@U1> ${summary}:` } })
})

test('each button carries only what its QR code is drawn from', () => {
  const { blocks } = linksCreatedMessage(
    [{ url, created: linkTo('https://go.ex/1', '#123456') }],
    'U1',
  )
  expect(blocks[1]).toMatchObject({
    accessory: { value: '["https://go.ex/1","","","#123456",""]' },
  })
})

test.each([
  [
    'long destinations',
    `https://example.com/${'&'.repeat(1900)}`,
    'https://go.example.com/x7Kp2Qa',
  ],
  [
    'destinations of the longest length that is linked',
    url.padEnd(150, 'x'),
    'https://go.example.com/x7Kp2Qa',
  ],
  ['long short URLs', url, `https://${'go.'.repeat(30)}example.com/${'x'.repeat(100)}`],
])('fits a whole checklist with %s into one message', (_name, long, short) => {
  const result = { url: long, created: linkTo(short, '#123456') }
  const { blocks } = linksCreatedMessage(Array<BatchResult>(MAX_CHECKLIST_LINKS).fill(result), 'U1')
  expect(isMessageTooLong(blocks.map((block) => ({ ...block })))).toBe(false)
  expect(JSON.stringify(blocks)).toContain(`<${short}`)
})

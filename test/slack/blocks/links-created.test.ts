import { expect, test } from 'vitest'
import { isMessageTooLong } from '../../../src/playground/block-kit/message-length.ts'
import { CHECKLIST_LINKS } from '../../../src/slack/blocks/checklist-modal.ts'
import type { CreatedLink } from '../../../src/slack/blocks/link-created.ts'
import { linksCreated, type BatchedLink } from '../../../src/slack/blocks/links-created.ts'

const linkTo = (shortlink_url: string, qrColor?: string): CreatedLink => ({
  shortlink: { shortlink_url, destination_url: 'https://example.com/a', title: 'A title' },
  utm: {},
  ...(qrColor && { qrColor }),
})

const url = 'https://example.com/a'
const created = linkTo('https://go.example.com/1')
const existing = linkTo('https://go.example.com/2')
const failure = 'No.'

test.each<[BatchedLink[], string]>([
  [[{ url, created }], 'shortened 1 link:'],
  [
    [
      { url, created },
      { url, existing },
      { url, failure },
    ],
    'shortened 1 link; 1 was shortened already; 1 could not be shortened:',
  ],
  [
    [
      { url, existing },
      { url, existing },
    ],
    'asked for short links; 2 were shortened already:',
  ],
])('it says how many were made, and how many not', (all, words) => {
  const { text, blocks } = linksCreated(all, 'U1')
  expect(text.split('\n')[0]).toBe(`<@U1> ${words}`)
  expect(blocks[0]).toMatchObject({ text: { text: `<@U1> ${words}` } })
})

test('a button keeps no more than its QR code is drawn from', () => {
  const { blocks } = linksCreated([{ url, created: linkTo('https://go.ex/1', '#123456') }], 'U1')
  expect(blocks[1]).toMatchObject({
    accessory: { value: '["https://go.ex/1","","","#123456"]' },
  })
})

test.each([
  [
    'long destinations',
    `https://example.com/${'&'.repeat(1900)}`,
    'https://go.example.com/x7Kp2Qa',
  ],
  ['destinations as long as are linked', url.padEnd(150, 'x'), 'https://go.example.com/x7Kp2Qa'],
  ['long short URLs', url, `https://${'go.'.repeat(30)}example.com/${'x'.repeat(100)}`],
])('as many as a checklist has, with %s, are a message that Slack takes', (_name, long, short) => {
  const one = { url: long, created: linkTo(short, '#123456') }
  const { blocks } = linksCreated(Array<BatchedLink>(CHECKLIST_LINKS).fill(one), 'U1')
  expect(isMessageTooLong(blocks.map((block) => ({ ...block })))).toBe(false)
  expect(JSON.stringify(blocks)).toContain(`<${short}`)
})

import { expect, test } from 'vitest'
import { checkMessageBlocks } from '../../../src/playground/block-kit/check.ts'
import { unfurlBlocks, type UnfurledLink } from '../../../src/slack/blocks/unfurl.ts'

const LINK: UnfurledLink = {
  shortUrl: 'https://go.example.com/spring',
  destination: 'https://example.com/catalogue/spring',
  madeBy: 'U_ANA',
  madeAt: Date.UTC(2026, 10, 21, 7),
}

const isolated = (text: string): string => `\u2068${text}\u2069`
const ABOUT = {
  type: 'context',
  elements: [
    {
      type: 'mrkdwn',
      text: `Leads to ${isolated('example.com/catalogue/spring')}\nShortened by <@U_ANA>  ·  <!date^1795244400^{date_long}|2026-11-21>`,
    },
  ],
}

test('a link says where it leads, who made it and when', () => {
  expect(unfurlBlocks(LINK)).toEqual([
    {
      type: 'section',
      text: {
        type: 'mrkdwn',
        text: `*<https://go.example.com/spring|${isolated('go.example.com/spring')}>*`,
      },
    },
    ABOUT,
  ])
})

test('a custom preview brings its title, description and picture', () => {
  const preview = {
    title: 'Spring\n\nsale',
    description: ' Up to\n50 % off ',
    imageUrl: 'https://go.example.com/card.png',
  }
  expect(unfurlBlocks({ ...LINK, ...preview })).toEqual([
    {
      type: 'section',
      text: {
        type: 'mrkdwn',
        text: `*<https://go.example.com/spring|${isolated('Spring sale')}>*\n${isolated('Up to 50 % off')}`,
      },
    },
    {
      type: 'image',
      image_url: 'https://go.example.com/card.png',
      alt_text: 'Preview image of Spring sale',
    },
    ABOUT,
  ])
})

test.each(['', ' ', '\u200b\u2060'])('a title that nobody sees (%j) is none', (title) => {
  expect(unfurlBlocks({ ...LINK, title })).toEqual(unfurlBlocks(LINK))
})

test('a link that a workflow made names nobody', () => {
  const [, about] = unfurlBlocks({ ...LINK, madeBy: undefined })
  expect(JSON.stringify(about)).toContain('\\nShortened <!date^')
})

test('nothing in a link pings anybody, or is a link of its own', () => {
  const drawn = JSON.stringify(
    unfurlBlocks({
      ...LINK,
      title: '<!channel> <@U_BEN> | <https://evil.example|click>',
      description: '<!here>',
      destination: 'https://example.com/?<!everyone>',
    }),
  )
  expect(drawn).not.toMatch(/<(?!https:\/\/go\.example\.com\/spring\||@U_ANA>|!date\^)/)
  expect(drawn).toContain('&lt;!channel&gt;')
})

test.each([
  ['emoji', '👩‍👩‍👧‍👦'.repeat(300)],
  ['right-to-left script', 'قصير '.repeat(800)],
  ['characters that are escaped', '<&>'.repeat(1000)],
])('the longest link in %s is within Slack’s limits', (_, text) => {
  const long = `https://example.com/${'&'.repeat(1980)}`
  const imageUrl = `https://example.com/${'x'.repeat(2980)}`
  for (const shortUrl of [LINK.shortUrl, long, `https://example.com/${'&'.repeat(190)}`]) {
    const link = { ...LINK, shortUrl, destination: long, title: text, description: text, imageUrl }
    const blocks = unfurlBlocks(link)
    expect(checkMessageBlocks(blocks, () => undefined)).toMatchObject({ ok: true })
    // What is isolated ends whole: nothing was cut but where it was meant to be.
    const { text: mrkdwn = '' } = blocks[0]?.type === 'section' ? (blocks[0].text ?? {}) : {}
    expect(mrkdwn.endsWith('\u2069')).toBe(true)
    expect(mrkdwn.length).toBeGreaterThan(300)
  }
})

import { expect, test } from 'vitest'
import { checkMessageBlocks } from '../../../src/simulator/block-kit/check.ts'
import { type LinkCard, linkCardBlocks } from '../../../src/slack/unfurl/index.ts'

const LINK: LinkCard = {
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

test('shows where the link leads, who made it and when', () => {
  expect(linkCardBlocks(LINK)).toEqual([
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

test('shows the title, description and picture of a custom preview', () => {
  const preview = {
    title: 'Spring\n\nsale',
    description: ' Up to\n50 % off ',
    imageUrl: 'https://go.example.com/card.png',
  }
  expect(linkCardBlocks({ ...LINK, ...preview })).toEqual([
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

test.each(['', ' ', '\u200b\u2060'])('ignores an invisible title (%j)', (title) => {
  expect(linkCardBlocks({ ...LINK, title })).toEqual(linkCardBlocks(LINK))
})

test('names no user if a workflow made the link', () => {
  const [, about] = linkCardBlocks({ ...LINK, madeBy: undefined })
  expect(JSON.stringify(about)).toContain('\\nShortened <!date^')
})

test('pings no user and shows no other link, whatever the texts contain', () => {
  const card = JSON.stringify(
    linkCardBlocks({
      ...LINK,
      title: '<!channel> <@U_BEN> | <https://evil.example|click>',
      description: '<!here>',
      destination: 'https://example.com/?<!everyone>',
    }),
  )
  expect(card).not.toMatch(/<(?!https:\/\/go\.example\.com\/spring\||@U_ANA>|!date\^)/)
  expect(card).toContain('&lt;!channel&gt;')
})

test.each([
  ['emoji', '👩‍👩‍👧‍👦'.repeat(300)],
  ['right-to-left script', 'قصير '.repeat(800)],
  ['characters that must be escaped', '<&>'.repeat(1000)],
])('keeps the longest link in %s within Slack’s limits', (_, text) => {
  const long = `https://example.com/${'&'.repeat(1980)}`
  const imageUrl = `https://example.com/${'x'.repeat(2980)}`
  for (const shortUrl of [LINK.shortUrl, long, `https://example.com/${'&'.repeat(190)}`]) {
    const link = { ...LINK, shortUrl, destination: long, title: text, description: text, imageUrl }
    const blocks = linkCardBlocks(link)
    expect(checkMessageBlocks(blocks, () => undefined)).toMatchObject({ ok: true })
    // The last text ends with the mark that closes it, so the section was not cut.
    const { text: mrkdwn = '' } = blocks[0]?.type === 'section' ? (blocks[0].text ?? {}) : {}
    expect(mrkdwn.endsWith('\u2069')).toBe(true)
    expect(mrkdwn.length).toBeGreaterThan(300)
  }
})

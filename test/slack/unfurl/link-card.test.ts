import { expect, test } from 'vitest'
import { checkMessageBlocks } from '../../../src/simulator/block-kit/check.ts'
import { previewImages } from '../../../src/slack/block-kit/link-preview.ts'
import { linkCardBlocks } from '../../../src/slack/unfurl/index.ts'

const LINK = {
  postedUrl: 'https://go.example.com/spring',
  shortlink_url: 'https://go.example.com/spring',
  isEarlier: false,
  destination_url: 'https://example.com/catalogue/spring',
  createdBy: 'U_ANA',
  created_at: new Date(Date.UTC(2026, 10, 21, 7)).toISOString(),
}

test.each(['', ' ', '\u200b\u2060'])('ignores an invisible title (%j)', (title) => {
  expect(linkCardBlocks({ ...LINK, title })).toEqual(linkCardBlocks(LINK))
  const ours = { ...LINK, title: 'Ours' }
  expect(linkCardBlocks({ ...ours, preview_title: title })).toEqual(linkCardBlocks(ours))
})

test.each([
  'http://go.example.com/card.png',
  'https://localhost/card.png',
  'https://10.0.0.1/card.png',
  'https://[::1]/card.png',
  'https://files.internal/card.png',
  'https://go.example.com/card.svg',
  `https://go.example.com/${'x'.repeat(3000)}.png`,
])('leaves out a picture that Slack can’t show: %s', (preview_image) => {
  expect(previewImages({ preview_image }, 'Card', false)).toEqual([])
})

test('shows the PNG that our link service makes of an SVG', () => {
  const preview_image = 'https://go.example.com/preview-images/0192-ab.svg?v=2'
  const [image] = previewImages({ preview_image }, 'Card', false)
  expect(image).toMatchObject({
    image_url: 'https://go.example.com/preview-images/0192-ab.png?v=2',
  })
})

test('names no user if a workflow made the link', () => {
  const [, about] = linkCardBlocks({ ...LINK, createdBy: undefined })
  expect(JSON.stringify(about)).toContain('\\nShortened <!date^')
})

test('pings no user and shows no other link, whatever the texts contain', () => {
  const card = JSON.stringify(
    linkCardBlocks({
      ...LINK,
      title: '<!channel> <@U_BEN> | <https://evil.example|click>',
      preview_description: '<!here>',
      destination_url: 'https://example.com/?<!everyone>',
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
  for (const postedUrl of [LINK.postedUrl, long, `https://example.com/${'&'.repeat(190)}`]) {
    const preview = { preview_title: text, preview_description: text, preview_image: imageUrl }
    const urls = { postedUrl, destination_url: long, shortlink_url: long, isEarlier: true }
    const card = { ...LINK, ...urls, ...preview }
    const blocks = linkCardBlocks(card, previewImages(card, text, false))
    expect(() => checkMessageBlocks(blocks)).not.toThrow()
    // The last text ends with the mark that closes it, so the section was not cut.
    const { text: mrkdwn = '' } = blocks[0]?.type === 'section' ? (blocks[0].text ?? {}) : {}
    expect(mrkdwn.endsWith('\u2069')).toBe(true)
    expect(mrkdwn.length).toBeGreaterThan(300)
  }
})

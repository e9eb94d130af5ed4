import { expect, test } from 'vitest'
import { parseMessageLinks } from '../../../src/slack/input/message-links.ts'

test('links of the text, with their entities, labels left out', () => {
  expect(
    parseMessageLinks({
      text: 'See <https://example.com/a?b=1&amp;c=2|this> and <http://example.org> or <mailto:a@example.com|a>',
    }),
  ).toEqual(['https://example.com/a?b=1&c=2', 'http://example.org'])
})

test('links of rich text blocks, each once', () => {
  const url = 'https://example.com/a'
  expect(
    parseMessageLinks({
      text: `<${url}>`,
      blocks: [
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'link', url },
                { type: 'link', url: 'https://example.com/b' },
                { type: 'link', url: 'mailto:a@example.com' },
              ],
            },
          ],
        },
      ],
    }),
  ).toEqual([url, 'https://example.com/b'])
})

test('mentions, channels and plain text are no links', () => {
  expect(parseMessageLinks({ text: '<@U1> <#C1|general> <!here> https://bare.example' })).toEqual(
    [],
  )
})

test('a message without text or blocks has none', () => {
  expect(parseMessageLinks({})).toEqual([])
})

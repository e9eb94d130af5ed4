import { expect, test } from 'vitest'
import {
  parseMessageLinks,
  type MessageWithLinks,
} from '../../../src/slack/message-links/parse-message.ts'

const DOMAINS = [
  { name: 'dom_1', domain_name: 'go.example.com' },
  { name: 'dom_2', domain_name: 'localhost:3001' },
]

const links = (message: MessageWithLinks): string[] => parseMessageLinks(message, DOMAINS).links

const richText = (...elements: object[]): object => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements }],
})

test('links of the text, with their entities, labels left out', () => {
  expect(
    links({
      text: 'See <https://example.com/a?b=1&amp;c=2|this> and <http://example.org> or <https://example.net/?q=&lt;b&gt;|https://other.example>',
    }),
  ).toEqual(['https://example.com/a?b=1&c=2', 'http://example.org', 'https://example.net/?q=<b>'])
})

test.each([
  ['a sentence', 'Look: https://example.com/a, or https://example.com/b.', ['a', 'b']],
  ['brackets', '(https://example.com/a) [https://example.com/b]', ['a', 'b']],
  [
    'brackets of its own',
    'https://example.com/a_(b) (see https://example.com/c_(d))',
    ['a_(b)', 'c_(d)'],
  ],
  ['emphasis', '*https://example.com/a* _https://example.com/b_', ['a', 'b']],
  ['code', '`https://example.com/a` ```https://example.com/b```', ['a', 'b']],
  ['quotes', '“https://example.com/a” "https://example.com/b"', ['a', 'b']],
  ['German and French quotes', '„https://example.com/a“ ‹https://example.com/b›', ['a', 'b']],
  ['East Asian sentences', '見て https://example.com/a。（https://example.com/b）', ['a', 'b']],
  [
    'invisible characters',
    'https://example.com/a\u200b \u200ehttps://example.com/b\u2060,',
    ['a', 'b'],
  ],
  ['entities', 'https://example.com/?a=1&amp;b=2 https://example.com/?c&amp;', ['?a=1&b=2', '?c&']],
  [
    'escaped angle brackets',
    '&lt;https://example.com/a&gt;&lt;https://example.com/b&gt;',
    ['a', 'b'],
  ],
])('bare links in %s', (_name, text, paths) => {
  expect(links({ text })).toEqual(paths.map((path) => `https://example.com/${path}`))
})

test('a curly quote behind a link that is marked up is none of the link', () => {
  const blocks = [richText({ type: 'link', url: 'https://example.com/a”' })]
  expect(links({ text: '“<https://example.com/a”>', blocks })).toEqual(['https://example.com/a'])
})

test('a flood of punctuation takes no time', () => {
  expect(links({ text: `https://example.com/a${')'.repeat(500_000)}` })).toEqual([
    'https://example.com/a',
  ])
})

test('mentions, channels, mail and telephone are no links', () => {
  expect(
    links({
      text: '<@U1> <#C1|general> <!here> <!date^1^{date}|x> <mailto:a@example.com|a> <tel:+49123|call> ftp://example.com',
    }),
  ).toEqual([])
})

test('each link once, as the URL standard reads them; the fragment counts', () => {
  expect(
    links({
      text: '<https://example.com> <https://EXAMPLE.com/> <https://example.com:443> <https://example.com/#a> <https://example.com/#b>',
      blocks: [richText({ type: 'link', url: 'https://example.com/#b' })],
    }),
  ).toEqual(['https://example.com', 'https://example.com/#a', 'https://example.com/#b'])
})

test('rich text: links however deep, and what its plain text holds', () => {
  expect(
    links({
      blocks: [
        richText(
          { type: 'link', url: 'https://example.com/a', text: 'https://not.example' },
          { type: 'text', text: ' and https://example.com/b?x=1&amp;y. ' },
          { type: 'link', url: 'mailto:a@example.com' },
          { type: 'emoji', name: 'wave', url: 'https://emoji.example/wave.png' },
        ),
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_list',
              style: 'bullet',
              elements: [
                {
                  type: 'rich_text_section',
                  elements: [{ type: 'link', url: 'https://example.com/c' }],
                },
              ],
            },
            {
              type: 'rich_text_preformatted',
              elements: [{ type: 'text', text: 'curl https://example.com/d' }],
            },
          ],
        },
      ],
    }),
  ).toEqual([
    'https://example.com/a',
    'https://example.com/b?x=1&amp;y',
    'https://example.com/c',
    'https://example.com/d',
  ])
})

test('the cells of a table, of rich text or of plain text', () => {
  expect(
    links({
      blocks: [
        {
          type: 'table',
          rows: [
            [{ type: 'raw_text', text: 'https://example.com/a?b&c' }],
            [richText({ type: 'link', url: 'https://example.com/d' })],
          ],
        },
      ],
    }),
  ).toEqual(['https://example.com/a?b&c', 'https://example.com/d'])
})

test('other blocks: texts, fields, contexts, buttons, menus and videos; no pictures', () => {
  expect(
    links({
      blocks: [
        {
          type: 'section',
          text: { type: 'mrkdwn', text: 'See <https://example.com/text|here>' },
          fields: [{ type: 'mrkdwn', text: '<https://example.com/field>' }],
          accessory: {
            type: 'button',
            text: { type: 'plain_text', text: 'https://not.example' },
            url: 'https://example.com/button',
            value: 'https://not.example/value',
          },
        },
        {
          type: 'context',
          elements: [
            {
              type: 'image',
              image_url: 'https://not.example/i.png',
              alt_text: 'https://not.example',
            },
            { type: 'plain_text', text: 'https://example.com/context' },
          ],
        },
        {
          type: 'actions',
          elements: [
            {
              type: 'overflow',
              options: [
                { text: { type: 'plain_text', text: 'x' }, url: 'https://example.com/menu' },
              ],
            },
          ],
        },
        { type: 'image', image_url: 'https://not.example/i.png', title_url: 'https://not.example' },
        { type: 'video', video_url: 'https://not.example', title_url: 'https://example.com/video' },
        { type: 'markdown', text: 'A [label](https://example.com/markdown)' },
      ],
    }),
  ).toEqual(
    ['text', 'field', 'button', 'context', 'menu', 'video', 'markdown'].map(
      (path) => `https://example.com/${path}`,
    ),
  )
})

test('attachments: title, texts, fields, blocks and buttons', () => {
  expect(
    links({
      attachments: [
        {
          title_link: 'https://example.com/title',
          pretext: '<https://example.com/pretext>',
          text: 'https://example.com/text',
          image_url: 'https://not.example/i.png',
          fields: [{ title: 'x', value: '<https://example.com/field|x>' }, {}],
          blocks: [richText({ type: 'link', url: 'https://example.com/block' })],
          actions: [{ type: 'button', text: 'x', url: 'https://example.com/action' }],
        },
      ],
    }),
  ).toEqual(
    ['title', 'pretext', 'text', 'field', 'block', 'action'].map(
      (path) => `https://example.com/${path}`,
    ),
  )
})

test('an unfurl stands for the link that was posted, whatever its page calls itself', () => {
  expect(
    links({
      text: 'Read <https://example.com/posted>',
      attachments: [
        {
          original_url: 'https://example.com/posted',
          from_url: 'https://example.com/posted?utm_source=x',
          title_link: 'https://www.example.com/canonical',
          text: 'More at <https://example.org/more>',
        },
        { from_url: 'https://example.com/read' },
      ],
    }),
  ).toEqual(['https://example.com/posted', 'https://example.org/more', 'https://example.com/read'])
})

test('a shared message stands for its links, not for itself', () => {
  expect(
    links({
      attachments: [
        {
          is_share: true,
          is_msg_unfurl: true,
          from_url: 'https://team.slack.com/archives/C1/p1',
          text: 'See <https://example.com/shared>',
          message_blocks: [
            { message: { blocks: [richText({ type: 'link', url: 'https://example.com/block' })] } },
          ],
        },
      ],
    }),
  ).toEqual(['https://example.com/shared', 'https://example.com/block'])
})

test('what is short already is left out and counted, its unfurl with all it shows', () => {
  expect(
    parseMessageLinks(
      {
        text: '<https://GO.example.com/x> <http://localhost:3001/y> <http://localhost:9/z> <https://example.com/a>',
        attachments: [
          {
            from_url: 'https://go.example.com/x',
            blocks: [richText({ type: 'link', url: 'https://example.com/where-it-leads' })],
          },
        ],
      },
      DOMAINS,
    ),
  ).toEqual({
    links: ['http://localhost:9/z', 'https://example.com/a'],
    leftOut: { short: 2, slack: 0, tooLong: 0 },
  })
})

test('links into Slack, and those too long for a form, are left out and counted', () => {
  expect(
    parseMessageLinks(
      {
        text: `<https://team.slack.com/archives/C1/p1> <https://team.slack.com/team/U1> <https://app.slack.com/client/T1> <https://slack.com/pricing> <https://example.com/${'x'.repeat(3000)}>`,
      },
      DOMAINS,
    ),
  ).toEqual({
    links: ['https://slack.com/pricing'],
    leftOut: { short: 0, slack: 3, tooLong: 1 },
  })
})

test('a message without anything has none, and neither has one that is nonsense', () => {
  let deep: unknown = { type: 'link', url: 'https://example.com/deep' }
  for (let depth = 0; depth < 50_000; depth++) deep = [deep]
  expect(links({})).toEqual([])
  expect(links({ blocks: deep, attachments: [null, 1, { text: 1, fields: 'x' }] })).toEqual([])
  expect(links({ text: 'https:// http://% <https://> <>' })).toEqual([])
})

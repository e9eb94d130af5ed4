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

test('finds the links in the text, unescaped and without their labels', () => {
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
    'brackets within the link',
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
])('finds bare links in %s', (_name, text, paths) => {
  expect(links({ text })).toEqual(paths.map((path) => `https://example.com/${path}`))
})

test('removes a closing curly quote from the end of a link', () => {
  const blocks = [richText({ type: 'link', url: 'https://example.com/a”' })]
  expect(links({ text: '“<https://example.com/a”>', blocks })).toEqual(['https://example.com/a'])
})

test('parses half a million closing brackets without delay', () => {
  expect(links({ text: `https://example.com/a${')'.repeat(500_000)}` })).toEqual([
    'https://example.com/a',
  ])
})

test('ignores mentions, channels, and addresses that are not http or https', () => {
  expect(
    links({
      text: '<@U1> <#C1|general> <!here> <!date^1^{date}|x> <mailto:a@example.com|a> <tel:+49123|call> ftp://example.com',
    }),
  ).toEqual([])
})

test('returns each link once, as the URL standard compares them, fragment included', () => {
  expect(
    links({
      text: '<https://example.com> <https://EXAMPLE.com/> <https://example.com:443> <https://example.com/#a> <https://example.com/#b>',
      blocks: [richText({ type: 'link', url: 'https://example.com/#b' })],
    }),
  ).toEqual(['https://example.com', 'https://example.com/#a', 'https://example.com/#b'])
})

test('finds links in rich text at any depth, and in its plain text', () => {
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

test('finds links in tables and other blocks, but no addresses of pictures', () => {
  expect(
    links({
      blocks: [
        {
          type: 'table',
          rows: [
            [{ type: 'raw_text', text: 'https://example.com/cell?b&c' }],
            [richText({ type: 'link', url: 'https://example.com/rich' })],
          ],
        },
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
    [
      ...['cell?b&c', 'rich', 'text', 'field', 'button'],
      ...['context', 'menu', 'video', 'markdown'],
    ].map((path) => `https://example.com/${path}`),
  )
})

test('finds links in all parts of attachments, but not the link to a shared message', () => {
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
        {
          is_share: true,
          is_msg_unfurl: true,
          from_url: 'https://not.example/archives/C1/p1',
          text: 'See <https://example.com/shared>',
          message_blocks: [
            {
              message: { blocks: [richText({ type: 'link', url: 'https://example.com/inside' })] },
            },
          ],
        },
      ],
    }),
  ).toEqual(
    ['title', 'pretext', 'text', 'field', 'block', 'action', 'shared', 'inside'].map(
      (path) => `https://example.com/${path}`,
    ),
  )
})

test('counts an unfurl as the link that was posted, whatever address its page names', () => {
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

test('leaves out short links with their unfurls, and counts them', () => {
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

test('leaves out links to something in Slack and links too long for a form, and counts them', () => {
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

test('finds nothing in an empty message or in nonsense', () => {
  let deep: unknown = { type: 'link', url: 'https://example.com/deep' }
  for (let depth = 0; depth < 50_000; depth++) deep = [deep]
  expect(links({})).toEqual([])
  expect(links({ blocks: deep, attachments: [null, 1, { text: 1, fields: 'x' }] })).toEqual([])
  expect(links({ text: 'https:// http://% <https://> <>' })).toEqual([])
})

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

const to = (path: string): string => `https://example.com/${path}`

const NOT = 'https://not.example'

const richText = (...elements: object[]): object => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements }],
})

const plainText = (text: string) => ({ type: 'plain_text', text })

const PICTURE = { type: 'image', image_url: NOT, title_url: NOT, alt_text: NOT }

const linkTo = (path: string): object => richText({ type: 'link', url: to(path) })

test('finds the links in the text, unescaped and without their labels', () => {
  const text =
    'See <https://example.com/a?b=1&amp;c=2|this> and <http://example.org> or <https://example.net/?q=&lt;b&gt;|https://other.example>'
  expect(links({ text })).toEqual([
    'https://example.com/a?b=1&c=2',
    'http://example.org',
    'https://example.net/?q=<b>',
  ])
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
  expect(links({ text })).toEqual(paths.map(to))
})

test('removes a closing curly quote from the end of a link', () => {
  expect(links({ text: '“<https://example.com/a”>', blocks: [linkTo('a”')] })).toEqual([to('a')])
})

test('parses half a million closing brackets without delay', () => {
  expect(links({ text: to(`a${')'.repeat(500_000)}`) })).toEqual([to('a')])
})

test('ignores mentions, channels, and addresses that are not http or https', () => {
  const text =
    '<@U1> <#C1|general> <!here> <!date^1^{date}|x> <mailto:a@example.com|a> <tel:+49123|call> ftp://example.com'
  expect(links({ text })).toEqual([])
})

test('returns each link once, as the URL standard compares them, fragment included', () => {
  const text =
    '<https://example.com> <https://EXAMPLE.com/> <https://example.com:443> <https://example.com/#a> <https://example.com/#b>'
  const found = links({ text, blocks: [linkTo('#b')] })
  expect(found).toEqual(['https://example.com', to('#a'), to('#b')])
})

test.each<[string, object, string[]]>([
  [
    'rich text',
    richText(
      { type: 'link', url: to('a'), text: NOT },
      { type: 'text', text: ` and ${to('b?x=1&amp;y')}. ` },
      { type: 'link', url: 'mailto:a@example.com' },
      { type: 'emoji', name: 'wave', url: NOT },
    ),
    ['a', 'b?x=1&amp;y'],
  ],
  [
    'rich text at any depth',
    { type: 'rich_text', elements: [{ type: 'rich_text_list', elements: [linkTo('deep')] }] },
    ['deep'],
  ],
  [
    'preformatted text',
    { type: 'rich_text_preformatted', elements: [{ type: 'text', text: `curl ${to('code')}` }] },
    ['code'],
  ],
  [
    'a table',
    { type: 'table', rows: [[{ type: 'raw_text', text: to('cell?b&c') }], [linkTo('rich')]] },
    ['cell?b&c', 'rich'],
  ],
  [
    'a section',
    {
      type: 'section',
      text: { type: 'mrkdwn', text: `See <${to('text')}|here>` },
      fields: [{ type: 'mrkdwn', text: `<${to('field')}>` }],
      accessory: { type: 'button', text: plainText(NOT), url: to('button'), value: NOT },
    },
    ['text', 'field', 'button'],
  ],
  [
    'a context, but not the address of its picture',
    { type: 'context', elements: [PICTURE, plainText(to('context'))] },
    ['context'],
  ],
  [
    'a menu',
    { elements: [{ type: 'overflow', options: [{ text: plainText('x'), url: to('menu') }] }] },
    ['menu'],
  ],
  ['a video', { type: 'video', video_url: NOT, title_url: to('video') }, ['video']],
  ['Markdown', { type: 'markdown', text: `A [label](${to('markdown')})` }, ['markdown']],
  ['no picture', PICTURE, []],
])('finds the links in %s', (_block, block, paths) => {
  expect(links({ blocks: [block] })).toEqual(paths.map(to))
})

test('finds links in all parts of attachments', () => {
  const attachment = {
    title_link: to('title'),
    pretext: `<${to('pretext')}>`,
    text: to('text'),
    image_url: NOT,
    fields: [{ title: 'x', value: `<${to('field')}|x>` }, {}],
    blocks: [linkTo('block')],
    actions: [{ type: 'button', text: 'x', url: to('action') }],
  }
  expect(links({ attachments: [attachment] })).toEqual(
    ['title', 'pretext', 'text', 'field', 'block', 'action'].map(to),
  )
})

test('finds the links in a shared message, but not the link to it', () => {
  const shared = {
    is_share: true,
    is_msg_unfurl: true,
    from_url: `${NOT}/archives/C1/p1`,
    text: `See <${to('shared')}>`,
    message_blocks: [{ message: { blocks: [linkTo('inside')] } }],
  }
  expect(links({ attachments: [shared] })).toEqual(['shared', 'inside'].map(to))
})

test('counts an unfurl as the link that was posted, whatever address its page names', () => {
  const unfurl = {
    original_url: to('posted'),
    from_url: to('posted?utm_source=x'),
    title_link: 'https://www.example.com/canonical',
    text: `More at <${to('more')}>`,
  }
  const attachments = [unfurl, { from_url: to('read') }]
  const found = links({ text: `Read <${to('posted')}>`, attachments })
  expect(found).toEqual(['posted', 'more', 'read'].map(to))
})

test('leaves out short links with their unfurls, and counts them', () => {
  const text =
    '<https://GO.example.com/x> <http://localhost:3001/y> <http://localhost:9/z> <https://example.com/a>'
  const attachments = [{ from_url: 'https://go.example.com/x', blocks: [linkTo('where-it-leads')] }]
  expect(parseMessageLinks({ text, attachments }, DOMAINS)).toEqual({
    links: ['http://localhost:9/z', to('a')],
    leftOut: { short: 2, slack: 0, tooLong: 0 },
  })
})

test('leaves out links to something in Slack and links too long for a form, and counts them', () => {
  const text = `<https://team.slack.com/archives/C1/p1> <https://team.slack.com/team/U1> <https://app.slack.com/client/T1> <https://slack.com/pricing> <${to('x'.repeat(3000))}>`
  expect(parseMessageLinks({ text }, DOMAINS)).toEqual({
    links: ['https://slack.com/pricing'],
    leftOut: { short: 0, slack: 3, tooLong: 1 },
  })
})

test('finds nothing in an empty message or in nonsense', () => {
  let deep: unknown = { type: 'link', url: to('deep') }
  for (let depth = 0; depth < 50_000; depth++) deep = [deep]
  expect(links({})).toEqual([])
  expect(links({ blocks: deep, attachments: [null, 1, { text: 1, fields: 'x' }] })).toEqual([])
  expect(links({ text: 'https:// http://% <https://> <>' })).toEqual([])
})

import { expect, test } from 'vitest'
import { parseMrkdwn, safeUrl, type Inline } from '../../../../src/playground/page/mrkdwn/parse.ts'

/** The parts of a text with a single paragraph. */
function inline(text: string): Inline[] {
  const [only, ...others] = parseMrkdwn(text)
  expect(others).toEqual([])
  return only?.kind === 'lines' ? only.children : []
}

test('parses bold, italic and code, also nested', () => {
  expect(inline('*bold _both_* and `a*b*c`')).toEqual([
    {
      kind: 'bold',
      children: [
        { kind: 'text', text: 'bold ' },
        { kind: 'italic', children: [{ kind: 'text', text: 'both' }] },
      ],
    },
    { kind: 'text', text: ' and ' },
    { kind: 'code', text: 'a*b*c' },
  ])
})

test.each(['2*3*4', 'snake_case_name', '* not bold *', 'a lone * and _', '*over\ntwo*'])(
  'treats marks inside a word, beside a space or alone as text: %j',
  (text) => {
    expect(inline(text)).toEqual([{ kind: 'text', text }])
  },
)

test('parses links with and without a label, also inside of marks', () => {
  expect(inline('*<https://go.example.com/a_b*c|a_b>* <https://example.com/?a=1&amp;b=2>')).toEqual(
    [
      {
        kind: 'bold',
        children: [{ kind: 'link', url: 'https://go.example.com/a_b*c', label: 'a_b' }],
      },
      { kind: 'text', text: ' ' },
      {
        kind: 'link',
        url: 'https://example.com/?a=1&b=2',
        label: 'https://example.com/?a=1&b=2',
      },
    ],
  )
})

test('turns a URL without brackets into a link, but not the period after it', () => {
  expect(inline('see http://example.com/a_b_c?x=1&amp;y=2.')).toEqual([
    { kind: 'text', text: 'see ' },
    {
      kind: 'link',
      url: 'http://example.com/a_b_c?x=1&y=2',
      label: 'http://example.com/a_b_c?x=1&y=2',
    },
    { kind: 'text', text: '.' },
  ])
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'nonsense'])(
  'never creates a link from another kind of URL: %s',
  (url) => {
    expect(inline(`<${url}|press me>`)).toEqual([{ kind: 'text', text: 'press me' }])
  },
)

test('parses mentions of people and channels, and shows the label of others', () => {
  expect(inline('<@U123><#C123|general><!subteam^S1|@team>')).toEqual([
    { kind: 'person', id: 'U123', label: '' },
    { kind: 'channel', id: 'C123', label: 'general' },
    { kind: 'text', text: '@team' },
  ])
})

test('parses a date with its format, and shows the fallback of an invalid one', () => {
  expect(inline('<!date^1767225600^{date} at {time}|1 January>')).toEqual([
    { kind: 'date', atSeconds: 1767225600, format: '{date} at {time}' },
  ])
  expect(inline('<!date^soon^{date}|1 January>')).toEqual([{ kind: 'text', text: '1 January' }])
})

test('resolves entities once, so that escaped markup stays text', () => {
  expect(inline('&lt;!channel&gt; &amp;lt; Tom &amp; Jerry')).toEqual([
    { kind: 'text', text: '<!channel> &lt; Tom & Jerry' },
  ])
})

test('parses emoji', () => {
  expect(inline(':link: at 10:30:15')).toEqual([
    { kind: 'emoji', name: 'link' },
    { kind: 'text', text: ' at 10' },
    { kind: 'emoji', name: '30' },
    { kind: 'text', text: '15' },
  ])
})

test('separates quotes, lines and code blocks', () => {
  expect(parseMrkdwn('before\n&gt; one\n>two\nafter\n```\n*raw* &lt;b&gt;\n```\nend')).toEqual([
    { kind: 'lines', children: [{ kind: 'text', text: 'before' }] },
    { kind: 'quote', children: [{ kind: 'text', text: 'one\ntwo' }] },
    { kind: 'lines', children: [{ kind: 'text', text: 'after\n' }] },
    { kind: 'pre', text: '*raw* <b>' },
    { kind: 'lines', children: [{ kind: 'text', text: 'end' }] },
  ])
})

test('treats an unclosed code block as text', () => {
  expect(inline('``` and on')).toEqual([{ kind: 'text', text: '``` and on' }])
})

test('parses 40,000 characters of unclosed marks within 2 s', () => {
  const hostile = ['*a ', '<', '_`', '*<'].map((piece) => piece.repeat(40_000 / piece.length))
  const begun = performance.now()
  hostile.forEach(parseMrkdwn)
  expect(performance.now() - begun).toBeLessThan(2000)
})

test.each(['javascript:alert(1)', ' JaVaScRiPt:alert(1)', 'data:,x', '//example.com', '', 7, null])(
  'rejects %j as a URL',
  (url) => {
    expect(safeUrl(url)).toBeUndefined()
  },
)

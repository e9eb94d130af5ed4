import { expect, test } from 'vitest'
import { parseMrkdwn, safeUrl, type Inline } from '../../../../src/playground/page/mrkdwn/parse.ts'

/** The parts of a text with a single paragraph. */
function inline(text: string): Inline[] {
  const [only, ...others] = parseMrkdwn(text)
  expect(others).toEqual([])
  return only?.kind === 'lines' ? only.children : []
}

const plain = (text: string) => ({ kind: 'text', text })
const link = (url: string, label = url) => ({ kind: 'link', url, label })

test('parses bold, italic and code, also nested', () => {
  expect(inline('*bold _both_* and `a*b*c`')).toEqual([
    { kind: 'bold', children: [plain('bold '), { kind: 'italic', children: [plain('both')] }] },
    plain(' and '),
    { kind: 'code', text: 'a*b*c' },
  ])
})

test.each(['2*3*4', 'snake_case_name', '* not bold *', 'a lone * and _', '*over\ntwo*'])(
  'treats marks inside a word, beside a space or alone as text: %j',
  (text) => {
    expect(inline(text)).toEqual([plain(text)])
  },
)

test('parses links with and without a label, also inside of marks', () => {
  const text = '*<https://go.example.com/a_b*c|a_b>* <https://example.com/?a=1&amp;b=2>'
  expect(inline(text)).toEqual([
    { kind: 'bold', children: [link('https://go.example.com/a_b*c', 'a_b')] },
    plain(' '),
    link('https://example.com/?a=1&b=2'),
  ])
})

test('turns a URL without brackets into a link, but not the period after it', () => {
  const parts = [plain('see '), link('http://example.com/a_b_c?x=1&y=2'), plain('.')]
  expect(inline('see http://example.com/a_b_c?x=1&amp;y=2.')).toEqual(parts)
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'nonsense'])(
  'never creates a link from another kind of URL: %s',
  (url) => {
    expect(inline(`<${url}|press me>`)).toEqual([plain('press me')])
  },
)

test('parses mentions of people and channels, and shows the label of others', () => {
  expect(inline('<@U123><#C123|general><!subteam^S1|@team>')).toEqual([
    { kind: 'person', id: 'U123', label: '' },
    { kind: 'channel', id: 'C123', label: 'general' },
    plain('@team'),
  ])
})

test('parses a date with its format, and shows the fallback of an invalid one', () => {
  expect(inline('<!date^1767225600^{date} at {time}|1 January>')).toEqual([
    { kind: 'date', atSeconds: 1767225600, format: '{date} at {time}' },
  ])
  expect(inline('<!date^soon^{date}|1 January>')).toEqual([plain('1 January')])
})

test('resolves entities once, so that escaped markup stays text', () => {
  const resolved = plain('<!channel> &lt; Tom & Jerry')
  expect(inline('&lt;!channel&gt; &amp;lt; Tom &amp; Jerry')).toEqual([resolved])
})

test('parses emoji', () => {
  expect(inline(':link: at 10:30:15')).toEqual([
    { kind: 'emoji', name: 'link' },
    plain(' at 10'),
    { kind: 'emoji', name: '30' },
    plain('15'),
  ])
})

test('separates quotes, lines and code blocks', () => {
  expect(parseMrkdwn('before\n&gt; one\n>two\nafter\n```\n*raw* &lt;b&gt;\n```\nend')).toEqual([
    { kind: 'lines', children: [plain('before')] },
    { kind: 'quote', children: [plain('one\ntwo')] },
    { kind: 'lines', children: [plain('after\n')] },
    { kind: 'pre', text: '*raw* <b>' },
    { kind: 'lines', children: [plain('end')] },
  ])
})

test('treats an unclosed code block as text', () => {
  expect(inline('``` and on')).toEqual([plain('``` and on')])
})

test('parses 40,000 characters of unclosed marks within 2 s of CPU time', () => {
  const hostile = ['*a ', '<', '_`', '*<'].map((piece) => piece.repeat(40_000 / piece.length))
  const begun = process.threadCpuUsage()
  hostile.forEach(parseMrkdwn)
  expect(process.threadCpuUsage(begun).user).toBeLessThan(2_000_000)
})

test.each(['javascript:alert(1)', ' JaVaScRiPt:alert(1)', 'data:,x', '//example.com', '', 7, null])(
  'rejects %j as a URL',
  (url) => {
    expect(safeUrl(url)).toBeUndefined()
  },
)

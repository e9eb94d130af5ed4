import { unescaped } from '../../../simulator/shared/slack-json.ts'

export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'emoji'; name: string }
  | { kind: 'bold' | 'italic'; children: Inline[] }
  | { kind: 'link'; url: string; label: string }
  | { kind: 'person' | 'channel'; id: string; label: string }
  | { kind: 'date'; atSeconds: number; format: string }

export type Paragraph =
  { kind: 'lines' | 'quote'; children: Inline[] } | { kind: 'pre'; text: string }

/**
 * Matches, in this order: a URL outside of `<…>`, a `<…>`, code, bold or italic text, an emoji. Bold and italic text
 * begins and ends at a word boundary, and contains a `<…>` or code only as a whole.
 */
const TOKEN =
  /(?<url>https?:\/\/(?:(?!&[lg]t;)[^\s<>|*`])+(?<![.,;:!?)'"]))|<(?<angle>[^<>\n]+)>|`(?<code>[^`\n]+)`|(?<!\w)(?<mark>[*_])(?=\S)(?<inner>(?:<[^<>\n]*>|`[^`\n]*`|(?!\k<mark>)[^\n<`])+)(?<=\S)\k<mark>(?!\w)|:(?<emoji>[a-z0-9_+-]+):/g

export function parseMrkdwn(text: string): Paragraph[] {
  // Parts with an odd index are code, except for a last one that is not closed.
  return text.split('```').flatMap((part, index, parts): Paragraph[] => {
    const isAfterMark = index % 2 === 1
    const isClosed = index < parts.length - 1
    if (isAfterMark && isClosed) {
      return [{ kind: 'pre', text: unescaped(part.replaceAll(/^\n|\n$/g, '')) }]
    }
    if (isAfterMark) return parseLines(`\`\`\`${part}`)
    const lines = index > 0 ? part.replace(/^\n/, '') : part
    return lines === '' ? [] : parseLines(lines)
  })
}

function parseLines(text: string): Paragraph[] {
  const runs: { quoted: boolean; lines: string[] }[] = []
  for (const line of text.split('\n')) {
    const content = line.replace(/^(?:&gt;|>) ?/, '')
    const quoted = content !== line
    const last = runs.at(-1)
    if (last?.quoted === quoted) last.lines.push(content)
    else runs.push({ quoted, lines: [content] })
  }
  return runs.map(({ quoted, lines }) => ({
    kind: quoted ? 'quote' : 'lines',
    children: parseInline(lines.join('\n')),
  }))
}

function parseInline(text: string): Inline[] {
  const nodes: Inline[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) nodes.push(textNode(text.slice(end, match.index)))
    nodes.push(tokenNode(match.groups ?? {}))
    end = match.index + match[0].length
  }
  if (end < text.length) nodes.push(textNode(text.slice(end)))
  return nodes
}

function tokenNode(groups: Record<string, string | undefined>): Inline {
  const { url, angle, code, mark, inner = '', emoji = '' } = groups
  if (url !== undefined) return linkNode(url, url)
  if (angle !== undefined) return angleNode(angle)
  if (code !== undefined) return { kind: 'code', text: unescaped(code) }
  if (mark === undefined) return { kind: 'emoji', name: emoji }
  return { kind: mark === '*' ? 'bold' : 'italic', children: parseInline(inner) }
}

function angleNode(content: string): Inline {
  const bar = content.indexOf('|')
  const target = bar < 0 ? content : content.slice(0, bar)
  const label = bar < 0 ? '' : unescaped(content.slice(bar + 1))
  if (target.startsWith('@')) return { kind: 'person', id: target.slice(1), label }
  if (target.startsWith('#')) return { kind: 'channel', id: target.slice(1), label }
  if (target.startsWith('!date^')) return dateNode(target, label)
  if (target.startsWith('!')) return { kind: 'text', text: label || unescaped(target) }
  return linkNode(target, label || target)
}

function linkNode(url: string, label: string): Inline {
  const href = safeUrl(unescaped(url))
  const text = unescaped(label)
  return href === undefined ? { kind: 'text', text } : { kind: 'link', url: href, label: text }
}

function dateNode(target: string, fallback: string): Inline {
  const [, at = '', format = ''] = target.split('^')
  if (!/^\d{1,11}$/.test(at) || format === '') return { kind: 'text', text: fallback }
  return { kind: 'date', atSeconds: Number(at), format: unescaped(format) }
}

function textNode(text: string): Inline {
  return { kind: 'text', text: unescaped(text) }
}

/** @returns undefined unless the URL is http or https, so that a click never runs a `javascript:` of a hostile app */
export function safeUrl(url: unknown): string | undefined {
  const parsed = typeof url === 'string' ? URL.parse(url) : undefined
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : undefined
}

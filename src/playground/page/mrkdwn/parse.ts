import { unescaped } from '../../../simulator/shared/slack-json.ts'

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'emoji'; name: string }
  | { kind: 'bold' | 'italic'; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; url: string; label: string }
  | { kind: 'person'; id: string; label: string }
  | { kind: 'channel'; id: string; label: string }
  | { kind: 'date'; atSeconds: number; format: string }

export type Paragraph =
  | { kind: 'lines'; children: Inline[] }
  | { kind: 'quote'; children: Inline[] }
  | { kind: 'pre'; text: string }

const MARKS = { '*': 'bold', _: 'italic' } as const

/**
 * A token of Slack's mrkdwn, in this order: a URL outside of `<…>`, a `<…>`, code, bold or italic text, an emoji. Bold
 * and italic text begins and ends at a word boundary, and contains only whole tokens.
 */
const TOKEN =
  /(?<url>https?:\/\/(?:(?!&[lg]t;)[^\s<>|*`])+(?<![.,;:!?)'"]))|<(?<angle>[^<>\n]+)>|`(?<code>[^`\n]+)`|(?<!\w)(?<mark>[*_])(?=\S)(?<inner>(?:<[^<>\n]*>|`[^`\n]*`|(?!\k<mark>)[^\n<`])+)(?<=\S)\k<mark>(?!\w)|:(?<emoji>[a-z0-9_+-]+):/g

export function parseMrkdwn(text: string): Paragraph[] {
  return text.split('```').flatMap((part, index, parts): Paragraph[] => {
    const unclosed = index === parts.length - 1 && index % 2 === 1
    if (index % 2 === 1 && !unclosed) {
      return [{ kind: 'pre', text: unescaped(part.replaceAll(/^\n|\n$/g, '')) }]
    }
    const plain = unclosed ? `\`\`\`${part}` : index > 0 ? part.replace(/^\n/, '') : part
    return plain === '' ? [] : parseLines(plain)
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
  const found: Inline[] = []
  let done = 0
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > done) found.push(textNode(text.slice(done, match.index)))
    found.push(tokenNode(match[0], match.groups ?? {}))
    done = match.index + match[0].length
  }
  if (done < text.length) found.push(textNode(text.slice(done)))
  return found
}

function tokenNode(whole: string, groups: Record<string, string | undefined>): Inline {
  const { url, angle, code, mark, inner, emoji } = groups
  if (url !== undefined) return linkNode(url, url)
  if (angle !== undefined) return angleNode(angle)
  if (code !== undefined) return { kind: 'code', text: unescaped(code) }
  if (emoji !== undefined) return { kind: 'emoji', name: emoji }
  if (mark !== undefined && mark in MARKS) {
    return { kind: MARKS[mark as keyof typeof MARKS], children: parseInline(inner ?? '') }
  }
  return textNode(whole)
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
  const shown = unescaped(label)
  return href === undefined
    ? { kind: 'text', text: shown }
    : { kind: 'link', url: href, label: shown }
}

function dateNode(target: string, fallback: string): Inline {
  const [, at = '', format = ''] = target.split('^')
  if (!/^\d{1,11}$/.test(at) || format === '') return { kind: 'text', text: fallback }
  return { kind: 'date', atSeconds: Number(at), format: unescaped(format) }
}

function textNode(text: string): Inline {
  return { kind: 'text', text: unescaped(text) }
}

/** Accepts only http and https, so that a click never runs the `javascript:` of a hostile app. */
export function safeUrl(url: unknown): string | undefined {
  const parsed = typeof url === 'string' ? URL.parse(url) : undefined
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : undefined
}

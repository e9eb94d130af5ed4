import ts from 'typescript'
import { parseSource } from '../test/support/architecture.ts'

/** What makes source files slow to read, as `npm run structure` prints it. @param files relative to src */
export function sourceCounts(files: readonly string[]): [name: string, count: number | string][] {
  const sources = files.map(parseSource)
  const lines = sum(sources.map(({ text }) => text.trimEnd().split('\n').length))
  const comments = sources.flatMap(commentsIn)
  const docstrings = comments.filter((comment) => comment.startsWith('/**')).map(wordsOf)
  const code = sources.map(({ text }) => text).join('\n')
  const docstringsWith = (pattern: RegExp): number =>
    docstrings.filter((words) => pattern.test(words)).length
  const matches = (pattern: RegExp): number => code.match(pattern)?.length ?? 0
  return [
    ['lines of code', sum(sources.map((source) => codeLinesOf(source).size))],
    ['docstrings', docstrings.length],
    ['lines per docstring', Math.round(lines / docstrings.length)],
    ['docstrings of six words or fewer', docstringsWith(/^\S+(?: \S+){0,5}$/)],
    ['docstrings that begin with How, What or Whether', docstringsWith(/^(?:How|What|Whether)\b/)],
    ['docstrings without a subject', docstringsWith(/^(?:Those|The same)\b/)],
    ['comments with “may”', comments.map(wordsOf).filter((words) => /\bmay /.test(words)).length],
    ['names that end in Of', new Set(sources.flatMap(declaredNames).filter(endsInOf)).size],
    ['tuple constants', matches(/\bconst \[[^\]]*\] = \[/g)],
    ['ReturnType<typeof create', matches(/ReturnType<typeof create/g)],
    ["'code' in error", matches(/'code' in error\b/g)],
  ]
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

const endsInOf = (name: string): boolean => /[a-z]Of$/.test(name)

/** The words of a comment on one line, without its marks. */
function wordsOf(comment: string): string {
  return comment
    .replace(/^\/[/*]+/, '')
    .replace(/\*\/$/, '')
    .replaceAll(/\n\s*\*?/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** All tokens, in order, without those of docstrings. */
function tokensIn(node: ts.Node): ts.Node[] {
  if (ts.isJSDoc(node)) return []
  const children = node.getChildren()
  return children.length === 0 ? [node] : children.flatMap(tokensIn)
}

function commentsIn(source: ts.SourceFile): string[] {
  const found = new Map<number, string>()
  for (const { pos, end } of tokensIn(source)) {
    const before = ts.getLeadingCommentRanges(source.text, pos) ?? []
    const after = ts.getTrailingCommentRanges(source.text, end) ?? []
    for (const range of [...before, ...after]) {
      found.set(range.pos, source.text.slice(range.pos, range.end))
    }
  }
  return [...found.values()]
}

/** The numbers of lines with code: no comments, blank lines or imports. */
function codeLinesOf(source: ts.SourceFile): Set<number> {
  const found = new Set<number>()
  const tokens = source.statements.filter((one) => !ts.isImportDeclaration(one)).flatMap(tokensIn)
  for (const token of tokens) {
    const first = source.getLineAndCharacterOfPosition(token.getStart()).line
    const last = source.getLineAndCharacterOfPosition(token.end).line
    for (let line = first; line <= last; line++) found.add(line)
  }
  return found
}

function declaredNames(source: ts.SourceFile): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const { name } = node as { name?: ts.Node }
    const isUse = ts.isPropertyAccessExpression(node) || ts.isShorthandPropertyAssignment(node)
    if (name && ts.isIdentifier(name) && !isUse) found.push(name.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

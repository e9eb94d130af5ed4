import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

/**
 * Which parts of src a part may import, besides itself. Types count as well as values. Files
 * that stand directly in src (main, start, config …) compose the parts and may see them all.
 */
const ALLOWED: Record<string, string[]> = {
  contract: [],
  client: ['contract'],
  database: [],
  qr: [],
  workspaces: ['database'],
  service: ['contract', 'database', 'qr'],
  slack: ['client', 'contract', 'qr', 'workspaces'],
  playground: [],
}

/** Packages that one file alone may import. */
const SOLE_IMPORTERS: Record<string, string> = {
  undici: 'src/client/transport.ts',
  'form-data': 'src/client/multipart.ts',
}

const SRC = join(import.meta.dirname, '../src')

interface Import {
  file: string
  specifier: string
  typeOnly: boolean
}

const imports = globSync('**/*.ts', { cwd: SRC }).flatMap((file) => importsOf(file))

function importsOf(file: string): Import[] {
  const found: Import[] = []
  const visit = (node: ts.Node): void => {
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      const typeOnly = ts.isImportDeclaration(node)
        ? node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
        : node.isTypeOnly
      found.push({ file, specifier: node.moduleSpecifier.text, typeOnly })
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments
      if (argument && ts.isStringLiteral(argument)) {
        found.push({ file, specifier: argument.text, typeOnly: false })
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(parse(file))
  return found
}

function parse(file: string): ts.SourceFile {
  const text = readFileSync(join(SRC, file), 'utf8')
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
}

/** The file inside src that a relative import names. */
function target({ file, specifier }: Import): string | undefined {
  return specifier.startsWith('.') ? join(dirname(file), specifier) : undefined
}

function part(file: string): string | undefined {
  return file.includes('/') ? file.split('/')[0] : undefined
}

test('the parts of src import one another in one direction only', () => {
  expect(imports.length).toBeGreaterThan(10)
  const wrong = imports.flatMap((one) => {
    const from = part(one.file)
    const to = target(one)
    if (!from || !to || part(to) === from) return []
    return ALLOWED[from]?.includes(part(to) ?? '') ? [] : [`${one.file} imports ${to}`]
  })
  expect(wrong).toEqual([])
})

test('no files import one another in a circle', () => {
  let arrows = imports.map((one) => ({ from: one.file, to: target(one) }))
  // Whoever imports nobody, or is imported by nobody, is in no circle.
  for (let before = Infinity; arrows.length < before;) {
    before = arrows.length
    const froms = new Set(arrows.map(({ from }) => from))
    const tos = new Set(arrows.map(({ to }) => to))
    arrows = arrows.filter(({ from, to }) => to !== undefined && froms.has(to) && tos.has(from))
  }
  expect(arrows).toEqual([])
})

test('every part of src is named here', () => {
  const parts = new Set(globSync('*/**/*.ts', { cwd: SRC }).map(part))
  expect([...parts].filter((name) => !name || !(name in ALLOWED))).toEqual([])
})

test('one file alone imports undici, and one form-data', () => {
  const wrong = imports.filter(({ file, specifier }) => {
    const sole = SOLE_IMPORTERS[specifier.split('/')[0] ?? '']
    return sole !== undefined && relative('src', sole) !== file
  })
  expect(wrong).toEqual([])
})

test('block builders import only types, the ids, the limits and each other', () => {
  const wrong = imports.filter((one) => {
    if (!one.file.startsWith('slack/blocks/')) return false
    const to = target(one)
    if (to?.startsWith('slack/blocks/') || to === 'slack/ids.ts') return false
    return !one.typeOnly
  })
  expect(wrong).toEqual([])
})

test('only main.ts touches process', () => {
  const named = globSync('**/*.ts', { cwd: SRC }).filter(
    (file) => file !== 'main.ts' && hasProcess(file),
  )
  const imported = imports.filter(({ specifier }) => /^(node:)?process$/.test(specifier))
  expect([...named, ...imported.map(({ file }) => file)]).toEqual([])
})

/** Whether a file's code, and not only a comment, names `process`. */
function hasProcess(file: string): boolean {
  const visit = (node: ts.Node): boolean =>
    (ts.isIdentifier(node) && node.text === 'process') || ts.forEachChild(node, visit) === true
  return visit(parse(file))
}

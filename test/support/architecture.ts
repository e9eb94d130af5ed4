import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/** Parts by name, as in `port: 'contract metrics'`. */
function table(rows: Record<string, string>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(rows).map(([name, parts]) => [name, parts.match(/\S+/g) ?? []]),
  )
}

/**
 * Which parts of src a part can import, besides itself: parts, or single files. Types count as well as values. main.ts, start.ts,
 * start and writes.ts compose the parts and can import all of them.
 */
export const ALLOWED = table({
  contract: 'timing values',
  metrics: '',
  timing: '',
  values: '',
  // What the app and the drivers of link services share.
  port: 'contract metrics timing',
  client: 'contract metrics port timing values',
  drivers: 'client contract metrics port timing values',
  conformance: 'client contract drivers http port timing values',
  database: 'contract metrics timing values',
  // /readyz says why the database can't be used.
  http: 'database metrics values',
  web: '',
  csv: 'web',
  qr: '',
  picture: 'contract',
  // It draws reports.
  chart: 'contract timing web',
  config: 'contract database http port workspaces',
  workspaces: 'contract database timing values',
  service: 'config contract csv database http metrics picture qr chart timing values web',
  // Slack's own servers are called in the same way as link services.
  slack:
    'client/transport.ts config contract csv http metrics picture port qr chart timing values web workspaces',
  doctor: 'client config contract database drivers http port slack timing values workspaces',
  simulator: 'values',
  playground: 'simulator values',
  start: '',
  setup: 'config contract doctor drivers http port slack timing values',
})

/** The same for the folders of a part. A folder might also be allowed to import a single file. */
export const ALLOWED_INSIDE: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> =
  {
    slack: table({
      'block-kit': '',
      // Talking to Slack, and above it the workspace's link service.
      platform: 'block-kit',
      links: 'platform block-kit',
      // Features. Those that create links can use shorten; only the menu, which is part of every shown link, uses others.
      share: 'links platform block-kit',
      shorten: 'links platform block-kit',
      'message-links': 'links platform block-kit shorten',
      import: 'links platform block-kit shorten',
      list: 'links platform block-kit',
      clicks: 'links platform block-kit',
      report: 'links platform block-kit clicks',
      alerts: 'links platform block-kit clicks',
      'link-menu': 'links platform block-kit share shorten list clicks',
      dashboard: 'links platform block-kit',
      reminders: 'links platform block-kit',
      'weekly-report': 'links platform block-kit report',
      'key-notice': 'links platform block-kit',
      settings: 'links platform block-kit',
      unfurl: 'links platform block-kit',
      install: 'platform block-kit',
      pages: 'block-kit',
      // Its tools do what the commands do.
      mcp: 'links platform block-kit shorten list/list-text.ts clicks report install/index.ts',
    }),
    service: table({
      store: '',
      api: 'store',
      destinations: 'store',
      redirect: 'store api/errors.ts api/owner-turns.ts',
      // It receives files as the API does, and an owner's reads take turns in both.
      dashboard: 'store api/errors.ts api/form.ts api/owner-turns.ts',
      admin: 'store',
    }),
  }

export const SRC = join(import.meta.dirname, '../../src')

export interface Import {
  /** Relative to src. */
  file: string
  specifier: string
  typeOnly: boolean
  /** Whether it is imported only when the importing code runs. */
  lazy: boolean
  /** The imported file, relative to src; absent for a package. */
  target: string | undefined
}

/** All TypeScript files, relative to src. */
export function sourceFiles(): string[] {
  return globSync('**/*.ts', { cwd: SRC }).sort()
}

export function readSource(file: string): string {
  return readFileSync(join(SRC, file), 'utf8')
}

export function parseSource(file: string): ts.SourceFile {
  const options = {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  }
  return ts.createSourceFile(file, readSource(file), options, true)
}

/** Several tests ask for the imports of the same files, and parsing all of them takes seconds. */
const known = new Map<string, Import[]>()

export function importsOf(file: string): Import[] {
  const earlier = known.get(file)
  if (earlier) return earlier
  const found: Import[] = []
  known.set(file, found)
  const add = (specifier: string, typeOnly: boolean, lazy = false): void => {
    const target = specifier.startsWith('.') ? join(dirname(file), specifier) : undefined
    found.push({ file, specifier, typeOnly, lazy, target })
  }
  const visit = (node: ts.Node): void => {
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      const typeOnly = ts.isImportDeclaration(node)
        ? node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
        : node.isTypeOnly
      add(node.moduleSpecifier.text, typeOnly)
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments
      if (argument && ts.isStringLiteral(argument)) add(argument.text, false, true)
    }
    ts.forEachChild(node, visit)
  }
  visit(parseSource(file))
  return found
}

/** The imports that run against the directions above, as sentences. */
export function forbiddenImports(imports: readonly Import[]): string[] {
  return imports.flatMap(({ file, target }) => {
    if (!target || isAllowed(file.split('/'), target.split('/'))) return []
    return [`${file} imports ${target}`]
  })
}

function isAllowed(from: string[], to: string[]): boolean {
  const [part = '', folder = ''] = from
  const [targetPart = '', targetFolder = ''] = to
  if (from.length === 1 || part === 'start') return true // They compose the parts.
  if (part !== targetPart) {
    return [targetPart, to.join('/')].some((name) => ALLOWED[part]?.includes(name))
  }
  const rules = ALLOWED_INSIDE[part]
  // Files beside the folders either compose them (app.ts, server.ts) or are used by all of them (ids.ts).
  if (!rules || from.length === 2 || to.length === 2 || folder === targetFolder) return true
  return [targetFolder, to.slice(1).join('/')].some((name) => rules[folder]?.includes(name))
}

/** The imports that are part of a circle. */
export function circularImports(imports: readonly Import[]): Import[] {
  let arrows = imports.filter(({ target }) => target !== undefined)
  // A file that imports nothing, or that nothing imports, is in no circle.
  for (let before = Infinity; arrows.length < before;) {
    before = arrows.length
    const sources = new Set(arrows.map(({ file }) => file))
    const targets = new Set(arrows.map(({ target }) => target))
    arrows = arrows.filter(({ file, target }) => sources.has(target ?? '') && targets.has(file))
  }
  return arrows
}

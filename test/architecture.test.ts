import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import {
  ALLOWED,
  ALLOWED_INSIDE,
  circularImports,
  forbiddenImports,
  importsOf,
  parseSource,
  readSource,
  sourceFiles,
} from './support/architecture.ts'

/** Packages that only one file can import, or one for each use. */
const SOLE_IMPORTERS: Record<string, string[]> = {
  undici: ['src/client/transport.ts', 'src/service/destinations/request-destination.ts'],
  'form-data': ['src/drivers/backhalf/multipart.ts'],
  'prom-client': ['src/metrics/definitions.ts'],
}

/** The files that build messages and views from data. */
const BLOCK_KIT_BUILDER =
  /^slack\/(?:block-kit\/|.*(?:-view|-modal|-blocks|-card|-created|welcome-message)\.ts$)/

const files = sourceFiles()
const imports = files.flatMap(importsOf)

test('imports run in the allowed directions only', () => {
  expect(imports.length).toBeGreaterThan(100)
  expect(forbiddenImports(imports)).toEqual([])
})

test('no files import each other in a circle', () => {
  expect(circularImports(imports)).toEqual([])
})

test('only the files that compose the parts are outside of the folders of src', () => {
  const outside = files.filter((file) => !file.includes('/'))
  expect(outside).toEqual(['main.ts', 'start.ts', 'writer-thread.ts', 'writes.ts'])
})

test('every folder has its row in the tables of allowed directions', () => {
  expect(foldersIn('')).toEqual(Object.keys(ALLOWED).toSorted())
  for (const [part, rules] of Object.entries(ALLOWED_INSIDE)) {
    expect(foldersIn(`${part}/`)).toEqual(Object.keys(rules).toSorted())
  }
})

test('what builds Block Kit imports no package but zod and what hashes a long name, and is synchronous', () => {
  const builders = files.filter((file) => BLOCK_KIT_BUILDER.test(file))
  expect(builders.length).toBeGreaterThan(10)
  const packages = imports
    .filter(({ file, typeOnly }) => builders.includes(file) && !typeOnly)
    .filter(({ target }) => target === undefined)
  const names = new Set(packages.map(({ specifier }) => specifier))
  expect([...names].toSorted()).toEqual(['node:crypto', 'zod'])
  expect(builders.filter(isAsynchronous)).toEqual([])
})

test('few files import undici, form-data and prom-client', () => {
  const wrong = imports.filter(({ file, specifier }) => {
    const sole = SOLE_IMPORTERS[specifier.split('/')[0] ?? '']
    return sole !== undefined && !sole.some((one) => relative('src', one) === file)
  })
  expect(wrong).toEqual([])
})

test('the program imports only packages that npm ci --omit=dev installs', () => {
  const manifest = readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> }
  const missing = imports
    .filter(({ target, typeOnly }) => target === undefined && !typeOnly)
    .map(({ specifier }) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'))
    .filter((name) => !isBuiltin(name) && !(name in dependencies))
  expect([...new Set(missing)]).toEqual([])
})

test('main.ts is the only TypeScript file that uses process', () => {
  const named = files.filter((file) => file !== 'main.ts' && namesProcess(file))
  const imported = imports.filter(({ specifier }) => /^(node:)?process$/.test(specifier))
  expect([...named, ...imported.map(({ file }) => file)]).toEqual([])
})

/** The folders directly below a folder of src (`''` is src itself). */
function foldersIn(folder: string): string[] {
  const below = files
    .filter((file) => file.startsWith(folder))
    .map((file) => file.slice(folder.length))
  return [
    ...new Set(below.filter((file) => file.includes('/')).map((file) => file.split('/')[0] ?? '')),
  ].toSorted()
}

/** Whether a file's code, and not only a comment, contains the identifier `process`. */
function namesProcess(file: string): boolean {
  const visit = (node: ts.Node): boolean =>
    (ts.isIdentifier(node) && node.text === 'process') || ts.forEachChild(node, visit) === true
  return readSource(file).includes('process') && visit(parseSource(file))
}

/** Whether any function in a file is asynchronous. */
function isAsynchronous(file: string): boolean {
  const visit = (node: ts.Node): boolean =>
    node.kind === ts.SyntaxKind.AsyncKeyword || ts.forEachChild(node, visit) === true
  return visit(parseSource(file))
}

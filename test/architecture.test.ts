import { relative } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import {
  ALLOWED,
  ALLOWED_INSIDE,
  circularImports,
  forbiddenImports,
  importsOf,
  parseSource,
  sourceFiles,
} from './support/architecture.ts'

/** Packages that only one file may import. */
const SOLE_IMPORTERS: Record<string, string> = {
  undici: 'src/client/transport.ts',
  'form-data': 'src/client/multipart.ts',
}

const files = sourceFiles()
const imports = files.flatMap(importsOf)

test('imports run in the allowed directions only', () => {
  expect(imports.length).toBeGreaterThan(100)
  expect(forbiddenImports(imports)).toEqual([])
})

test('no files import each other in a circle', () => {
  expect(circularImports(imports)).toEqual([])
})

test('only main.ts and start.ts are outside of the folders of src', () => {
  expect(files.filter((file) => !file.includes('/'))).toEqual(['main.ts', 'start.ts'])
})

test('every folder has its row in the tables of allowed directions', () => {
  expect(foldersIn('')).toEqual(Object.keys(ALLOWED).toSorted())
  for (const [part, rules] of Object.entries(ALLOWED_INSIDE)) {
    expect(foldersIn(`${part}/`)).toEqual(Object.keys(rules).toSorted())
  }
})

test('Block Kit builders import no package but zod', () => {
  const packages = imports
    .filter(({ file, typeOnly }) => file.startsWith('slack/block-kit/') && !typeOnly)
    .filter(({ target }) => target === undefined)
  expect([...new Set(packages.map(({ specifier }) => specifier))]).toEqual(['zod'])
})

test('only one file imports undici, and one form-data', () => {
  const wrong = imports.filter(({ file, specifier }) => {
    const sole = SOLE_IMPORTERS[specifier.split('/')[0] ?? '']
    return sole !== undefined && relative('src', sole) !== file
  })
  expect(wrong).toEqual([])
})

test('only main.ts uses process', () => {
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
  return visit(parseSource(file))
}

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { OLD_WORDS } from '../docs/old-words.ts'
import { VARIABLES } from '../src/config/variables.ts'

const ROOT = join(import.meta.dirname, '..')
const DOCUMENTS = ['.', 'docs'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
)

const COMMANDS = /npm run (?:--silent )?(\w+)/g
const LINKS = /\]\(((?!http)[^)]+)\)/g

const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8')

test('the documents name commands and link to each other', () => {
  const all = DOCUMENTS.map(read).join('\n')
  expect([...all.matchAll(COMMANDS)].length).toBeGreaterThan(10)
  expect([...all.matchAll(LINKS)].length).toBeGreaterThan(10)
})

test.each(DOCUMENTS)('%s names only commands that exist', (name) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = [...read(name).matchAll(COMMANDS)].map(([, script]) => script)
  expect(named.filter((script) => !script || !(script in scripts))).toEqual([])
})

test.each(DOCUMENTS)('the links in %s lead to files and headings that exist', (name) => {
  const links = [...read(name).matchAll(LINKS)].map(([, link]) => link ?? '')
  for (const link of links) {
    const [path = '', heading] = link.split('#')
    const text = read(path ? join(dirname(name), path) : name)
    if (heading) expect(headings(text), link).toContain(heading)
  }
})

test('the table of settings has one row for every variable, and no others', () => {
  const rows = read('docs/configuration.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const described = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name),
  )
  const known = Object.keys(VARIABLES)
  expect(known.length).toBeGreaterThan(10)
  expect(described.toSorted()).toEqual(known.toSorted())
})

test('docs/installing.md gives the reason for each scope that manifest.yml gives, and no others', () => {
  const [, requested = ''] = /^ {4}bot:\n((?: {6}- .+\n)+)/m.exec(read('manifest.yml')) ?? []
  const reasons = [...requested.matchAll(/- (\S+)(?: # (.+))?/g)].map(([, ...pair]) => pair)
  const rows = [...read('docs/installing.md').matchAll(/^\| `(\w+(?::\w+)?)` +\| (.+?) +\|$/gm)]
  expect(reasons.length).toBeGreaterThan(5)
  expect(rows.map(([, ...pair]) => pair)).toEqual(reasons)
})

/** The headings of a Markdown file in the form that GitHub uses in URLs. */
function headings(markdown: string): string[] {
  const titles = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title ?? '')
  return titles.map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
}

test.each(DOCUMENTS)('%s has none of the words that CONTRIBUTING.md lists', (name) => {
  const patterns = OLD_WORDS.map(([, words]) => words).join('|')
  const oldWords = new RegExp(String.raw`(?<![\p{L}\d])(?:${patterns})(?![\p{L}\d])`, 'giu')
  // CONTRIBUTING.md itself lists them.
  const [text = ''] = read(name).split('## Words')
  expect([...text.matchAll(oldWords)].map(([word]) => word)).toEqual([])
})

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { VARIABLES } from '../src/environment.ts'

const read = (name: string): string => readFileSync(join(import.meta.dirname, '..', name), 'utf8')
const readme = read('README.md')

test('the commands that the README names are there', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = [...readme.matchAll(/npm run (?:--silent )?(\w+)/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter((name) => !name || !(name in scripts))).toEqual([])
})

test('every variable that is read has its row in the table of settings, and no other has', () => {
  const rows = readme.split('\n').filter((line) => line.startsWith('| `'))
  const described = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name),
  )
  const known = Object.keys(VARIABLES)
  expect(known.length).toBeGreaterThan(10)
  expect(described.toSorted()).toEqual(known.toSorted())
})

test.each(['README.md', 'docs/installing.md'])(
  'the files that %s links to are there, with the headings that it names',
  (name) => {
    const links = [...read(name).matchAll(/\]\(((?!http)[^)]+)\)/g)].map(([, link]) => link ?? '')
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) {
      const [path = '', heading] = link.split('#')
      const text = read(join(dirname(name), path))
      if (heading) expect(headings(text), link).toContain(heading)
    }
  },
)

/** The headings of a Markdown file, as GitHub's addresses have them. */
function headings(markdown: string): string[] {
  const titles = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title ?? '')
  return titles.map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
}

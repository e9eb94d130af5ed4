import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRequest } from '../src/contract/link-requests.ts'
import { listQuery } from '../src/contract/list-query.ts'
import { shortlink } from '../src/contract/shortlink.ts'
import { ERROR_STATUS } from '../src/contract/error-envelope.ts'

const ROOT = join(import.meta.dirname, '..')

const rows = readFileSync(join(ROOT, 'docs/spec-coverage.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .flatMap((line) => {
    const [requirements = '', check = '', file = ''] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    return requirements.split('<br>').map((requirement) => {
      const [, section = '', says = ''] = /^(\S+) (.+)$/.exec(requirement) ?? []
      return { section, says, check, file: file.replaceAll('`', '') }
    })
  })

/** The titles of a file's checks: the first argument of test, describe, and what follows `each`. */
function titlesIn(file: string): string[] {
  const text = existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : ''
  return [...text.matchAll(/(?:\btest|\bdescribe|\]\))\(\s*'((?:[^'\\]|\\.)+)',/g)].map(
    ([, title = '']) => title,
  )
}

test.each(rows)('§$section $says: there is “$check”', ({ file, check }) => {
  expect(titlesIn(file)).toContain(check)
})

test('every field, parameter and status has its row', () => {
  const said = new Set(rows.map(({ section, says }) => `${section} ${says.split(',')[0] ?? ''}`))
  const needed = [
    ...Object.keys(shortlink.shape).map((name) => `2.1 \`${name}\``),
    ...Object.keys(createRequest.shape).map((name) => `4.1 field \`${name}\``),
    ...Object.keys(listQuery.shape)
      .filter((name) => !['q', 'tag', 'created_by', 'expires_before', 'state'].includes(name)) // Ours: it has no filters.
      .map((name) => `4.3 \`${name}\``),
    ...Object.values(ERROR_STATUS)
      .filter((status) => status !== 412 && status !== 503) // Ours: the specification has no such status.
      .map((status) => `7 status ${status}`),
  ]
  expect(needed.filter((row) => !said.has(row))).toEqual([])
})

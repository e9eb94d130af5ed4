import { expect, test } from 'vitest'
import { checkNaming, namingText } from '../../../src/slack/settings/naming-form.ts'
import { issuesOf } from '../../support/issues.ts'

const typed = (text: string) => ({ text, kept: [] })

const FORM = { lowerCase: true, spaces: '-', sources: typed(''), mediums: typed('') } as const

test('rewrites the listed values by the rules, and drops blank lines', () => {
  expect(checkNaming({ ...FORM, sources: typed(' News Letter \n\nSocial\nX') })).toEqual({
    lowerCase: true,
    spaces: '-',
    sources: ['news-letter', 'social', 'x'],
    mediums: [],
  })
})

test('reports values that are too long or listed twice, with the line', () => {
  const long = 'x'.repeat(76)
  const form = { ...FORM, sources: typed('A'), mediums: typed(`email\n${long}\nEmail`) }
  expect(issuesOf(() => checkNaming(form))).toEqual([
    { field: 'allowed_mediums', message: 'Line 2: this is longer than 75 characters.' },
    { field: 'allowed_mediums', message: 'Line 3: “email” is listed twice. Remove one.' },
  ])
})

test('allows at most a hundred values in a list', () => {
  const lines = (count: number) =>
    typed(Array.from({ length: count }, (_, index) => `v${index}`).join('\n'))
  expect(checkNaming({ ...FORM, sources: lines(100) }).sources).toHaveLength(100)
  expect(issuesOf(() => checkNaming({ ...FORM, sources: lines(101) }))).toEqual([
    { field: 'allowed_sources', message: 'There are 101 values, but at most 100 are allowed.' },
  ])
})

test('describes the rules as part of a sentence', () => {
  const none = { lowerCase: false, spaces: null, sources: [], mediums: [] }
  expect(namingText(none)).toBe('')
  expect(namingText({ lowerCase: true, spaces: '_', sources: ['a', 'b'], mediums: ['c'] })).toBe(
    'everything in lower case, `_` for spaces, 2 allowed sources, 1 allowed medium',
  )
})

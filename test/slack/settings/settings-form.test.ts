import { expect, test } from 'vitest'
import type { FieldError } from '../../../src/slack/platform/field-errors.ts'
import { parseDomains } from '../../../src/slack/settings/domains-form.ts'
import {
  linesFrom,
  linesInput,
  linesOf,
  typedLines,
} from '../../../src/slack/settings/settings-form.ts'

const OPTIONS = { hint: 'One per line.', placeholder: 'x', required: true }

/** Longer than the 3,000 characters of Slack's inputs. */
const LONG = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(75, 'x'))

test('shows a whole list if an input has room for it', () => {
  expect(linesFrom([])).toEqual({ text: '', kept: [] })
  expect(linesFrom(LONG.slice(0, 39))).toEqual({ text: LONG.slice(0, 39).join('\n'), kept: [] })
  const { optional, hint } = linesInput('domains', linesFrom(['a', 'b']), OPTIONS)
  expect([optional, hint?.text]).toEqual([false, 'One per line.'])
})

test('shows the start of a longer list, with room to type, and keeps the rest', () => {
  const lines = linesFrom(LONG)
  expect(lines.text.length).toBeLessThanOrEqual(2_500)
  expect([...lines.text.split('\n'), ...lines.kept]).toEqual(LONG)
  const input = linesInput('domains', lines, OPTIONS)
  expect(input.optional).toBe(true)
  expect(input.hint?.text).toBe('One per line. 68 more lines don’t fit here and stay as they are.')
  const values = { domains: { input: { type: 'plain_text_input', value: 'new\n0' } } }
  const typed = linesOf(typedLines(values, 'domains', LONG)).map(({ text }) => text)
  expect(typed).toEqual(['new', '0', ...lines.kept])
})

test('numbers the lines that are not blank', () => {
  expect(linesOf({ text: ' a \n\nb', kept: ['c'] })).toEqual([
    { number: 1, text: 'a' },
    { number: 3, text: 'b' },
    { number: 4, text: 'c' },
  ])
})

function parse(text: string) {
  const issues: FieldError[] = []
  const domains = parseDomains({ text, kept: [] }, issues)
  return { domains, issues }
}

test('parses lines, ignoring blank lines and extra spaces', () => {
  const { domains, issues } = parse(
    ' dom_1  go.example.com \n\ndom_2, https://B.example.com/x\ndom_3 localhost:3001',
  )
  expect(issues).toEqual([])
  expect(domains).toEqual([
    { name: 'dom_1', domain_name: 'go.example.com' },
    { name: 'dom_2', domain_name: 'b.example.com' },
    { name: 'dom_3', domain_name: 'localhost:3001' },
  ])
})

test('reports each issue with its line', () => {
  const { domains, issues } = parse(
    `dom_1 go.example.com\n\ndom_2\n${'x'.repeat(76)} go.example.com\ndom_1 other.example.com\ndom_3 not_a_host`,
  )
  expect(domains).toBeUndefined()
  const invalidLine =
    'write the record’s ID, a space and its hostname, like “dom_123 go.example.com”.'
  expect(issues).toEqual(
    [
      `Line 3: ${invalidLine}`,
      'Line 4: the ID is longer than Slack’s menus allow (75 characters).',
      'Line 5: the ID “dom_1” is already in line 1. Remove one.',
      `Line 6: ${invalidLine}`,
    ].map((message) => ({ field: 'domains', message })),
  )
})

test('requires at least one domain and allows at most a hundred', () => {
  expect(parse(' ').issues).toEqual([{ field: 'domains', message: 'Enter at least one domain.' }])
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => `d${index} x${index}.example`).join('\n')
  expect(parse(lines(100)).issues).toEqual([])
  expect(parse(lines(101)).issues).toEqual([
    {
      field: 'domains',
      message: 'Slack’s menus hold at most 100 domains, but there are 101. Remove some.',
    },
  ])
})

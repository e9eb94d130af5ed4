import { expect, test } from 'vitest'
import { parseConnectForm } from '../../../src/slack/settings/connect-form.ts'
import { issuesOf } from '../../support/issues.ts'

const parse = (value: string) =>
  parseConnectForm({ domains: { input: { type: 'plain_text_input', value } } })

test('parses lines, ignoring blank lines and extra spaces', () => {
  const { domains } = parse(
    ' dom_1  go.example.com \n\ndom_2, https://B.example.com/x\ndom_3 localhost:3001',
  )
  expect(domains).toEqual([
    { name: 'dom_1', domain_name: 'go.example.com' },
    { name: 'dom_2', domain_name: 'b.example.com' },
    { name: 'dom_3', domain_name: 'localhost:3001' },
  ])
})

test('reports each issue with its line', () => {
  const text = `dom_1 go.example.com\n\ndom_2\n${'x'.repeat(76)} go.example.com\ndom_1 other.example.com\ndom_3 not_a_host`
  const invalidLine =
    'write the record’s ID, a space and its hostname, like “dom_123 go.example.com”.'
  expect(issuesOf(() => parse(text))).toEqual(
    [
      `Line 3: ${invalidLine}`,
      'Line 4: the ID is longer than Slack’s menus allow (75 characters).',
      'Line 5: the ID “dom_1” is already in line 1. Remove one.',
      `Line 6: ${invalidLine}`,
    ].map((message) => ({ field: 'domains', message })),
  )
})

test('allows at most a hundred domains', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => `d${index} x${index}.example`).join('\n')
  expect(parse(lines(100)).domains).toHaveLength(100)
  expect(issuesOf(() => parse(lines(101)))).toEqual([
    {
      field: 'domains',
      message: 'Slack’s menus hold at most 100 domains, but there are 101. Remove some.',
    },
  ])
})

import { expect, test } from 'vitest'
import { parseConnectForm } from '../../../src/slack/settings/connect-form.ts'
import { connectedModal } from '../../../src/slack/settings/connect.ts'
import { issuesOf } from '../../support/issues.ts'

const LONGEST = `${'a'.repeat(61)}.`.repeat(4)

const parse = (domains: string, apiKey = 'bh_1') =>
  parseConnectForm({
    api_key: { input: { type: 'plain_text_input', value: apiKey } },
    domains: { input: { type: 'plain_text_input', value: domains } },
  })

test('parses lines, ignoring blank lines and extra spaces', () => {
  const lines = ' dom_1  go.example.com \n\ndom_2, https://B.example.com/x\ndom_3 localhost:3001'
  expect(parse(lines).domains).toEqual([
    { name: 'dom_1', domain_name: 'go.example.com' },
    { name: 'dom_2', domain_name: 'b.example.com' },
    { name: 'dom_3', domain_name: 'localhost:3001' },
  ])
})

test('leaves the choice of domains to the link service’s list if none is typed', () => {
  expect(parse(' \n').domains).toBeUndefined()
})

test('reports what is wrong with the key and with each line at once, without the key', () => {
  const lines = `dom_1 go.example.com\n\ndom_2\n${'x'.repeat(76)} go.example.com\ndom_1 other.example.com\ndom_3 not_a_host`
  const issues = issuesOf(() => parse(lines, 'bh_1 secret'))
  const message =
    'An API key contains only letters, digits and symbols, and no spaces. Copy all of it.'
  const invalidLine =
    'write the record’s ID, a space and its hostname, like “dom_123 go.example.com”.'
  expect(issues).toEqual([
    { field: 'api_key', message },
    ...[
      `Line 3: ${invalidLine}`,
      'Line 4: the ID is longer than Slack’s menus allow (75 characters).',
      'Line 5: the ID “dom_1” is already in line 1. Remove one.',
      `Line 6: ${invalidLine}`,
    ].map((message) => ({ field: 'domains', message })),
  ])
})

test('allows at most a hundred domains', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => `d${index} x${index}.example`).join('\n')
  expect(parse(lines(100)).domains).toHaveLength(100)
  const message = 'Slack’s menus hold at most 100 domains, but there are 101. Remove some.'
  expect(issuesOf(() => parse(lines(101)))).toEqual([{ field: 'domains', message }])
})

test('names ten domains, however many there are', () => {
  const domains = Array.from({ length: 100 }, (_, index) => ({
    name: `dom_${index}`,
    domain_name: `${index}.${LONGEST}com`,
  }))
  const found = { domains, mayList: true, mayCreate: true, knowsDomains: true }
  const shown = JSON.stringify(connectedModal(found))
  expect(shown).toContain('*9.aaa')
  expect(shown).toContain(', 90 more.')
})

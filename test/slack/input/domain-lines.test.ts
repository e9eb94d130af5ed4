import { expect, test } from 'vitest'
import { domainLines, parseDomains } from '../../../src/slack/input/domain-lines.ts'
import type { Fault } from '../../../src/slack/input/slack-input-error.ts'

function parsed(...texts: string[]) {
  const faults: Fault[] = []
  const domains = parseDomains(texts, faults)
  return { domains, faults }
}

test('lines are read from every input in turn, whatever stands around them', () => {
  const { domains, faults } = parsed(
    ' dom_1  go.example.com \n\ndom_2, https://B.example.com/x',
    '',
    'dom_3 localhost:3001',
  )
  expect(faults).toEqual([])
  expect(domains).toEqual([
    { name: 'dom_1', domain_name: 'go.example.com' },
    { name: 'dom_2', domain_name: 'b.example.com' },
    { name: 'dom_3', domain_name: 'localhost:3001' },
  ])
  expect(domainLines(domains ?? [])[1]).toBe('dom_2 b.example.com')
})

test('what is wrong is named at its input, with its line', () => {
  const { domains, faults } = parsed(
    'dom_1 go.example.com\n\ndom_2',
    `${'x'.repeat(76)} go.example.com\ndom_1 other.example.com\ndom_3 not_a_host`,
  )
  expect(domains).toBeUndefined()
  const asLine = 'write the record’s ID, a space and its hostname, like “dom_123 go.example.com”.'
  expect(faults).toEqual([
    { field: 'domains', message: `Line 3: ${asLine}` },
    {
      field: 'domains_2',
      message: 'Line 1: the ID is longer than Slack’s menus take (75 characters).',
    },
    { field: 'domains_2', message: 'Line 2: the ID “dom_1” stands further up already.' },
    { field: 'domains_2', message: `Line 3: ${asLine}` },
  ])
})

test('an ID that stands twice in one input is named with both lines', () => {
  expect(parsed('a x.example\nb y.example\na z.example').faults).toEqual([
    { field: 'domains', message: 'Line 3: the ID “a” stands in line 1 already.' },
  ])
})

test('there is at least one domain, and at most a hundred', () => {
  expect(parsed('', ' ').faults).toEqual([
    { field: 'domains', message: 'Give at least one domain.' },
  ])
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => `d${index} x${index}.example`).join('\n')
  expect(parsed(lines(100)).faults).toEqual([])
  expect(parsed(lines(101)).faults).toHaveLength(1)
})

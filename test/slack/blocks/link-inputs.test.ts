import { expect, test } from 'vitest'
import { domainInput, domainValue, indexOfDomain } from '../../../src/slack/blocks/link-inputs.ts'

const host = `${'a.'.repeat(125)}com`
const long = (end: string) => ({ name: `${'x'.repeat(90)}${end}`, domain_name: host })
const domains = [{ name: 'dom_1', domain_name: 'Go.Example.com' }, long('1'), long('2')]

test('a record is found by its id, its hostname and its value in a menu', () => {
  expect(indexOfDomain('dom_1', domains)).toBe(0)
  expect(indexOfDomain('go.example.COM', domains)).toBe(0)
  expect(
    domains.map((record, index) => indexOfDomain(domainValue(record, index), domains)),
  ).toEqual([0, 1, 2])
  expect(indexOfDomain('nowhere.example.com', domains)).toBe(-1)
})

test('ids that Slack’s menus don’t take stand there shortened, and no two alike', () => {
  const values = domains.map(domainValue)
  expect(new Set(values).size).toBe(3)
  expect(values.every((value) => value.length <= 75)).toBe(true)
})

test('after a change of the records a shortened id means none rather than another one', () => {
  const third = domains.map(domainValue)[2]
  expect(indexOfDomain(third, domains.slice(1))).toBe(-1)
})

test('a long hostname is cut for show, and the chosen record is chosen still', () => {
  expect(domainInput(domains[2]?.name, domains)).toMatchObject({
    element: {
      options: domains.map((record, index) => ({ value: domainValue(record, index) })),
      initial_option: { value: domainValue(long('2'), 2) },
    },
  })
})

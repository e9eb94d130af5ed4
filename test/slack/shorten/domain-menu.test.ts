import type { StaticSelect } from '@slack/types'
import { describe, expect, test } from 'vitest'
import { domainInput, domainValue, indexOfDomain } from '../../../src/slack/shorten/domain-menu.ts'

const host = `${'a.'.repeat(125)}com`
const long = (end: string) => ({ name: `${'x'.repeat(90)}${end}`, domain_name: host })
const domains = [{ name: 'dom_1', domain_name: 'Go.Example.com' }, long('1'), long('2')]

test('cuts a long hostname in the menu and still selects the right record', () => {
  const [menu] = domainInput(domains[2]?.name, domains)
  expect(menu).toMatchObject({
    element: {
      options: domains.map((record, index) => ({ value: domainValue(record, index) })),
      initial_option: { value: domainValue(long('2'), 2) },
    },
  })
})

test('lists at most 100 domains, as many as a menu holds, and never selects another one instead', () => {
  const many = Array.from({ length: 101 }, (_, index) => ({
    name: `dom_${index}`,
    domain_name: `${index}.example.com`,
  }))
  const [menu] = domainInput('dom_100', many)
  const { options, initial_option } = menu?.element as StaticSelect
  expect(options).toHaveLength(100)
  expect(initial_option).toBeUndefined()
  expect(domainInput(undefined, many)).toMatchObject([
    { element: { initial_option: { value: 'dom_0' } } },
  ])
})

test('asks for no domain if there is only one, unless the user typed another', () => {
  const [only] = domains
  expect(domainInput(undefined, domains.slice(0, 1))).toEqual([])
  expect(domainInput(only?.domain_name, domains.slice(0, 1))).toEqual([])
  expect(domainInput('other.example.com', domains.slice(0, 1))).toHaveLength(1)
})

describe('a domain record in a menu', () => {
  test('is found by its ID, its hostname and its value in the menu', () => {
    expect(indexOfDomain('dom_1', domains)).toBe(0)
    expect(indexOfDomain('go.example.COM', domains)).toBe(0)
    expect(
      domains.map((record, index) => indexOfDomain(domainValue(record, index), domains)),
    ).toEqual([0, 1, 2])
    expect(indexOfDomain('nowhere.example.com', domains)).toBe(-1)
  })

  test('has a value that Slack accepts and no other record has, however long its ID is', () => {
    const values = domains.map(domainValue)
    expect(new Set(values).size).toBe(3)
    expect(values.every((value) => value.length <= 75)).toBe(true)
  })

  test('with a shortened ID is not found, rather than mistaken, after the records change', () => {
    const third = domains.map(domainValue)[2]
    expect(indexOfDomain(third, domains.slice(1))).toBe(-1)
  })
})

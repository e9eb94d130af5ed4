import type { StaticSelect } from '@slack/types'
import { expect, test } from 'vitest'
import { domainInput } from '../../../src/slack/shorten/menus.ts'

const host = `${'a.'.repeat(125)}com`
const domains = [
  { name: 'dom_1', domain_name: 'Go.Example.com' },
  { name: 'dom_2', domain_name: host },
  { name: 'dom_3', domain_name: host.slice(2) },
]

test('cuts a long hostname in the menu and still selects the right record', () => {
  const [menu] = domainInput(domains[2]?.name, domains)
  expect(menu).toMatchObject({
    element: {
      options: domains.map(({ name }) => ({ value: name })),
      initial_option: { value: 'dom_3' },
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
  const other = domainInput('other.example.com', domains.slice(0, 1))
  expect(other).toHaveLength(1)
  expect(other[0]?.element).not.toHaveProperty('initial_option')
})

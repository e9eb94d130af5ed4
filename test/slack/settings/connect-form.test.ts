import { expect, test } from 'vitest'
import type { FormValues } from '../../../src/slack/platform/form-values.ts'
import { connectedModal, parseConnectForm } from '../../../src/slack/settings/connect-form.ts'
import { issuesOf } from '../../support/issues.ts'

const LONGEST = `${'a'.repeat(61)}.`.repeat(4)

const values = (apiKey: string, domains: string): FormValues => ({
  api_key: { input: { type: 'plain_text_input', value: apiKey } },
  domains: { input: { type: 'plain_text_input', value: domains } },
})

test('leaves the choice of domains to the link service’s list if none is typed', () => {
  const { domains } = parseConnectForm(values('bh_1', 'dom_x c.example.com'))
  expect(domains).toEqual([{ name: 'dom_x', domain_name: 'c.example.com' }])
  expect(parseConnectForm(values('bh_1', ' \n')).domains).toBeUndefined()
})

test('reports what is wrong with the key and with the domains at once, without the key', () => {
  const issues = issuesOf(() => parseConnectForm(values('bh_1 secret', 'dom_1')))
  expect(issues).toEqual([
    {
      field: 'api_key',
      message:
        'An API key contains only letters, digits and symbols, and no spaces. Copy all of it.',
    },
    { field: 'domains', message: expect.stringContaining('Line 1: write the') as string },
  ])
  expect(JSON.stringify(issues)).not.toContain('secret')
})

/** What a service shows that accepts everything. */
const ALL = { mayList: true, mayCreate: true, knowsDomains: true }

test('warns about a key that can’t list links, however many domains there are', () => {
  const domains = Array.from({ length: 100 }, (_, index) => ({
    name: `dom_${index}`,
    domain_name: `${index}.${LONGEST}com`,
  }))
  const shown = JSON.stringify(
    connectedModal(domains, { ...ALL, mayList: false, mayCreate: false }),
  )
  expect(shown).toContain('*9.aaa')
  expect(shown).toContain(', 90 more.')
  expect(shown).toContain(
    'The key isn’t allowed to list links, so `/shorten list` can’t show them. The person who runs the link service can allow it.',
  )
  expect(shown).toContain('The key isn’t allowed to create links.')
  expect(JSON.stringify(connectedModal(domains, ALL))).not.toContain('isn’t allowed')
})

test('says what was tried and what was not', () => {
  const domains = [{ name: 'dom_1', domain_name: 'go.example.com' }]
  expect(JSON.stringify(connectedModal(domains, ALL))).toContain(
    'The link service accepts the key and knows the domain records. The hostnames were not tried: they are as you entered them.',
  )
  expect(JSON.stringify(connectedModal(domains, { ...ALL, knowsDomains: false }))).toContain(
    'The link service accepts the key. The domain records and their hostnames were not tried: make a link to try them.',
  )
})

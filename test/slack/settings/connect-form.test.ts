import { expect, test } from 'vitest'
import type { FormValues } from '../../../src/slack/platform/form-values.ts'
import { connectedModal, parseConnectForm } from '../../../src/slack/settings/connect-form.ts'
import { issuesOf } from '../../support/issues.ts'

const values = (apiKey: string, domains: string): FormValues => ({
  api_key: { input: { type: 'plain_text_input', value: apiKey } },
  domains: { input: { type: 'plain_text_input', value: domains } },
})

test('parses the key and the domains', () => {
  expect(parseConnectForm(values(' bh_1 ', 'dom_1 go.example.com\ndom_2 b.example.com'))).toEqual({
    apiKey: 'bh_1',
    domains: [
      { name: 'dom_1', domain_name: 'go.example.com' },
      { name: 'dom_2', domain_name: 'b.example.com' },
    ],
  })
})

test('reports what is wrong with the key and with the domains at once, without the key', () => {
  const issues = issuesOf(() => parseConnectForm(values('bh_1 secret', '')))
  expect(issues).toEqual([
    {
      field: 'api_key',
      message:
        'An API key contains only letters, digits and symbols, and no spaces. Copy all of it.',
    },
    { field: 'domains', message: 'Enter at least one domain.' },
  ])
  expect(JSON.stringify(issues)).not.toContain('secret')
})

const LONGEST = `${'a'.repeat(61)}.`.repeat(4)

test('warns about a key that can’t list links, however many domains there are', () => {
  const domains = Array.from({ length: 100 }, (_, index) => ({
    name: `dom_${index}`,
    domain_name: `${index}.${LONGEST}com`,
  }))
  const shown = JSON.stringify(connectedModal(domains, false))
  expect(shown).toContain('*9.aaa')
  expect(shown).toContain(', 90 more.')
  expect(shown).toContain(
    'The key isn’t allowed to list links, so `/shorten list` can’t show them.',
  )
  expect(JSON.stringify(connectedModal(domains, true))).not.toContain('isn’t allowed')
})

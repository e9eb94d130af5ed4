import { expect, test } from 'vitest'
import type { FormValues } from '../../../src/slack/platform/form-values.ts'
import { parseConnectForm } from '../../../src/slack/settings/connect-form.ts'
import { connectedModal } from '../../../src/slack/settings/connect.ts'
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

import { expect, test } from 'vitest'
import { connectedModal } from '../../../src/slack/blocks/connect-modal.ts'

const LONGEST = `${'a'.repeat(61)}.`.repeat(4)

test('what is wrong with the key is said however many domains there are', () => {
  const domains = Array.from({ length: 100 }, (_, at) => ({
    name: `dom_${at}`,
    domain_name: `${at}.${LONGEST}com`,
  }))
  const shown = JSON.stringify(connectedModal(domains, false))
  expect(shown).toContain('*9.aaa')
  expect(shown).toContain(', 90 more.')
  expect(shown).toContain('can’t show them.')
})

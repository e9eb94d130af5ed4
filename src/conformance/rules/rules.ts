import type { Rule, RuleTable } from '../rule.ts'
import { CREATE_REQUEST_RULES } from './create-request-rules.ts'
import { CREATED_LINK_RULES } from './created-link-rules.ts'
import { ERROR_RULES } from './error-rules.ts'
import { KEY_RULES } from './key-rules.ts'
import { LIST_RULES } from './list-rules.ts'
import { SHORT_URL_RULES } from './short-url-rules.ts'

const UNCHECKED_RULES: RuleTable = {
  ...unchecked('the specification does not say where the picture is', {
    'qr-code': ['1', 'A link can have a QR code.'],
  }),
  ...unchecked('keys are generated in the service’s dashboard, which this command does not use', {
    'key-attributes': ['2.3', 'A key has a name, a type, permissions and a description.'],
    'key-shown-once': ['5.4', 'A key is shown once, and a new one makes the old one invalid.'],
  }),
  ...unchecked('needs more API keys than the one given', {
    'key-types': ['5.6', 'The type of a key, Organization or Self, decides what it reaches.'],
    'read-only-key': ['5.7', 'A key with the permission Read Only can list but not create.'],
    'restricted-key': ['5.7', 'A Restricted key can do only what it was generated for.'],
    'outside-permission': ['5.8', 'A request outside a key’s permission is refused with 403.'],
  }),
  ...unchecked('reaching the limit would take too many links', {
    'feature-limit': ['8', 'A create request beyond a feature limit is refused with 403.'],
  }),
  ...unchecked('reaching the limit would take too many requests', {
    'rate-limit': ['8', 'A request beyond the rate limit is refused with 429.'],
  }),
  ...unchecked('no request should cause it', {
    'internal-error': ['7', 'An unexpected error of the service returns 500.'],
  }),
}

// In the order in which they are checked. Lists need the links of the earlier checks. Opening a short URL might change
// its link, so short URLs come later. The rules about all responses come last.
export const RULES: readonly Rule[] = [
  CREATED_LINK_RULES,
  CREATE_REQUEST_RULES,
  LIST_RULES,
  KEY_RULES,
  SHORT_URL_RULES,
  ERROR_RULES,
  UNCHECKED_RULES,
].flatMap((table) => Object.entries(table).map(([id, rule]) => ({ id, ...rule })))

export function rulesIn(section: string | undefined): readonly Rule[] {
  if (section === undefined) return RULES
  return RULES.filter((rule) => rule.section === section || rule.section.startsWith(`${section}.`))
}

function unchecked(check: string, rules: Record<string, [section: string, rule: string]>) {
  const entries = Object.entries(rules)
  return Object.fromEntries(entries.map(([id, [section, rule]]) => [id, { section, rule, check }]))
}

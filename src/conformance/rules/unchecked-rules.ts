import type { RuleTable } from '../rule.ts'

/** The rules that can't be checked, each with the reason. */
export const UNCHECKED_RULES: RuleTable = {
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

function unchecked(check: string, rules: Record<string, [section: string, rule: string]>) {
  const entries = Object.entries(rules)
  return Object.fromEntries(entries.map(([id, [section, rule]]) => [id, { section, rule, check }]))
}

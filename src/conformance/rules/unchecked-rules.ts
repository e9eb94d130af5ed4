import { rulesWith, type Rule } from '../rule.ts'

const rule = (section: string, id: string, text: string) => ({ section, id, rule: text })

/** The rules that can't be checked, each with the reason. */
export const UNCHECKED_RULES: readonly Rule[] = [
  {
    ...rule('1', 'qr-code', 'A link can have a QR code.'),
    check: 'the specification does not say where the picture is',
  },
  ...rulesWith(
    { check: 'keys are generated in the service’s dashboard, which this command does not use' },
    rule('2.3', 'key-attributes', 'A key has a name, a type, permissions and a description.'),
    rule('5.4', 'key-shown-once', 'A key is shown once, and a new one makes the old one invalid.'),
  ),
  ...rulesWith(
    { check: 'needs more API keys than the one given' },
    rule('5.6', 'key-types', 'The type of a key, Organization or Self, decides what it reaches.'),
    rule('5.7', 'read-only-key', 'A key with the permission Read Only can list but not create.'),
    rule('5.7', 'restricted-key', 'A Restricted key can do only what it was generated for.'),
    rule('5.8', 'outside-permission', 'A request outside a key’s permission is refused with 403.'),
  ),
  {
    ...rule('8', 'feature-limit', 'A create request beyond a feature limit is refused with 403.'),
    check: 'reaching the limit would take too many links',
  },
  {
    ...rule('8', 'rate-limit', 'A request beyond the rate limit is refused with 429.'),
    check: 'reaching the limit would take too many requests',
  },
  {
    ...rule('7', 'internal-error', 'An unexpected error of the service returns 500.'),
    check: 'no request should cause it',
  },
]

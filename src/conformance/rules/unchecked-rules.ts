import { rulesWith, type Rule } from '../rule.ts'

const unchecked = (section: string, id: string, rule: string) => ({ section, id, rule })

/** The rules that can't be checked, each with the reason. */
export const UNCHECKED_RULES: readonly Rule[] = [
  {
    ...unchecked('1', 'qr-code', 'A link can have a QR code.'),
    check: 'the specification does not say where the picture is',
  },
  ...rulesWith(
    { check: 'keys are generated in the service’s dashboard, which this command does not use' },
    unchecked('2.3', 'key-attributes', 'A key has a name, a type, permissions and a description.'),
    unchecked(
      '5.4',
      'key-shown-once',
      'A key is shown once, and a new one makes the old one invalid.',
    ),
  ),
  ...rulesWith(
    { check: 'needs more API keys than the one given' },
    unchecked(
      '5.6',
      'key-types',
      'The type of a key, Organization or Self, decides what it reaches.',
    ),
    unchecked(
      '5.7',
      'read-only-key',
      'A key with the permission Read Only can list but not create.',
    ),
    unchecked('5.7', 'restricted-key', 'A Restricted key can do only what it was generated for.'),
    unchecked(
      '5.8',
      'outside-permission',
      'A request outside a key’s permission is refused with 403.',
    ),
  ),
  {
    ...unchecked(
      '8',
      'feature-limit',
      'A create request beyond a feature limit is refused with 403.',
    ),
    check: 'reaching the limit would take too many links',
  },
  {
    ...unchecked('8', 'rate-limit', 'A request beyond the rate limit is refused with 429.'),
    check: 'reaching the limit would take too many requests',
  },
  {
    ...unchecked('7', 'internal-error', 'An unexpected error of the service returns 500.'),
    check: 'no request should cause it',
  },
]

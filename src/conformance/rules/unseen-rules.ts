import { rows, type Rule } from '../rule.ts'

const unseen = (section: string, id: string, rule: string) => ({ section, id, rule })

/** The rules that can't be checked, each with the reason. */
export const UNSEEN_RULES: readonly Rule[] = [
  {
    ...unseen('1', 'qr-code', 'A link can have a QR code.'),
    check: 'the specification does not say where the picture is',
  },
  ...rows(
    { check: 'keys are generated in the service’s dashboard, which this command does not use' },
    unseen('2.3', 'key-attributes', 'A key has a name, a type, permissions and a description.'),
    unseen(
      '5.4',
      'key-shown-once',
      'A key is shown once, and a new one makes the old one invalid.',
    ),
  ),
  ...rows(
    { check: 'needs more API keys than the one given' },
    unseen('5.6', 'key-types', 'The type of a key, Organization or Self, decides what it reaches.'),
    unseen('5.7', 'read-only-key', 'A key with the permission Read Only can list but not create.'),
    unseen('5.7', 'restricted-key', 'A Restricted key can do only what it was generated for.'),
    unseen(
      '5.8',
      'outside-permission',
      'A request outside a key’s permission is refused with 403.',
    ),
  ),
  {
    ...unseen('8', 'feature-limit', 'A create beyond a feature limit is refused with 403.'),
    check: 'reaching the limit would take too many links',
  },
  {
    ...unseen('8', 'rate-limit', 'A request beyond the rate limit is refused with 429.'),
    check: 'reaching the limit would take too many requests',
  },
  {
    ...unseen('7', 'internal-error', 'An unexpected error of the service returns 500.'),
    check: 'no request should cause it',
  },
]

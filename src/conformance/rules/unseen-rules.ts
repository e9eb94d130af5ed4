import { rows, type Rule } from '../rule.ts'

/** Rules that can't be checked with one API key. */
export const UNSEEN_RULES: readonly Rule[] = [
  {
    id: 'qr-code',
    section: '1',
    rule: 'A link can have a QR code.',
    check: 'the specification does not say where the picture is',
  },
  ...rows(
    { check: 'keys are generated in the service’s dashboard, which this command does not use' },
    {
      id: 'key-attributes',
      section: '2.3',
      rule: 'A key has a name, a type, permissions and a description.',
    },
    {
      id: 'key-shown-once',
      section: '5.4',
      rule: 'A key is shown once, and a new one makes the old one invalid.',
    },
  ),
  ...rows(
    { check: 'needs more API keys than the one given' },
    {
      id: 'key-types',
      section: '5.6',
      rule: 'The type of a key, Organization or Self, decides what it reaches.',
    },
    {
      id: 'read-only-key',
      section: '5.7',
      rule: 'A key with the permission Read Only can list but not create.',
    },
    {
      id: 'restricted-key',
      section: '5.7',
      rule: 'A Restricted key can do only what it was generated for.',
    },
    {
      id: 'outside-permission',
      section: '5.8',
      rule: 'A request outside a key’s permission is refused with 403.',
    },
  ),
  {
    id: 'feature-limit',
    section: '8',
    rule: 'A create beyond a feature limit is refused with 403.',
    check: 'reaching the limit would take too many links',
  },
  {
    id: 'rate-limit',
    section: '8',
    rule: 'A request beyond the rate limit is refused with 429.',
    check: 'reaching the limit would take too many requests',
  },
  {
    id: 'internal-error',
    section: '7',
    rule: 'An unexpected error of the service returns 500.',
    check: 'no request should cause it',
  },
]

import { rows, type Rule } from '../rule.ts'

const DASHBOARD = 'keys are generated in the service’s dashboard, which this command does not use'
const SECOND_KEY = 'needs more API keys than the one given'

/** Rules that requests with one API key can't show. */
export const UNSEEN_RULES: readonly Rule[] = rows(
  { otherwise: 'Nothing is missing in the app.' },
  {
    id: 'qr-code',
    section: '1',
    rule: 'A link can have a QR code.',
    otherwise: 'Nothing is missing in the app, which draws QR codes itself.',
    check: 'the specification does not say where the picture is',
  },
  {
    id: 'key-attributes',
    section: '2.3',
    rule: 'A key has a name, a type, permissions and a description.',
    check: DASHBOARD,
  },
  {
    id: 'key-types',
    section: '5.6',
    rule: 'The type of a key, Organization or Self, decides what it reaches.',
    check: SECOND_KEY,
  },
  {
    id: 'key-shown-once',
    section: '5.4',
    rule: 'A key is shown once, and a new one makes the old one invalid.',
    check: DASHBOARD,
  },
  {
    id: 'read-only-key',
    section: '5.7',
    rule: 'A key with the permission Read Only can list but not create.',
    check: SECOND_KEY,
  },
  {
    id: 'restricted-key',
    section: '5.7',
    rule: 'A Restricted key can do only what it was generated for.',
    check: SECOND_KEY,
  },
  {
    id: 'outside-permission',
    section: '5.8',
    rule: 'A request outside a key’s permission is refused with 403.',
    otherwise: 'The app can’t tell users that the key does not allow something.',
    check: SECOND_KEY,
  },
  {
    id: 'feature-limit',
    section: '8',
    rule: 'A create beyond a feature limit is refused with 403.',
    otherwise: 'The app can’t tell users that a limit is reached.',
    check: 'reaching the limit would take too many links',
  },
  {
    id: 'rate-limit',
    section: '8',
    rule: 'A request beyond the rate limit is refused with 429.',
    otherwise: 'The app doesn’t wait before it tries again.',
    check: 'reaching the limit would take too many requests',
  },
  {
    id: 'internal-error',
    section: '7',
    rule: 'An unexpected error of the service is answered with 500.',
    otherwise: 'The app can’t tell users that the service failed.',
    check: 'no request should cause it',
  },
)

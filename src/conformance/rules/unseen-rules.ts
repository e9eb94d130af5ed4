import type { Rule } from '../rule.ts'

const DASHBOARD = 'keys are generated in the service’s dashboard, which this command does not use'
const SECOND_KEY = 'needs more API keys than the one given'

/** Rules that requests with one API key can't show. */
export const UNSEEN_RULES: readonly Rule[] = [
  unseen('qr-code', '1', 'A link can have a QR code.', {
    otherwise: 'Nothing is missing in the app, which draws QR codes itself.',
    reason: 'the specification does not say where the picture is',
  }),
  unseen('key-attributes', '2.3', 'A key has a name, a type, permissions and a description.', {
    reason: DASHBOARD,
  }),
  unseen('key-types', '5.6', 'The type of a key, Organization or Self, decides what it reaches.', {
    reason: SECOND_KEY,
  }),
  unseen('key-shown-once', '5.4', 'A key is shown once, and a new one makes the old one invalid.', {
    reason: DASHBOARD,
  }),
  unseen('read-only-key', '5.7', 'A key with the permission Read Only can list but not create.', {
    reason: SECOND_KEY,
  }),
  unseen('restricted-key', '5.7', 'A Restricted key can do only what it was generated for.', {
    reason: SECOND_KEY,
  }),
  unseen('outside-permission', '5.8', 'A request outside a key’s permission is refused with 403.', {
    otherwise: 'The app can’t tell users that the key does not allow something.',
    reason: SECOND_KEY,
  }),
  unseen('feature-limit', '8', 'A create beyond a feature limit is refused with 403.', {
    otherwise: 'The app can’t tell users that a limit is reached.',
    reason: 'reaching the limit would take too many links',
  }),
  unseen('rate-limit', '8', 'A request beyond the rate limit is refused with 429.', {
    otherwise: 'The app doesn’t wait before it tries again.',
    reason: 'reaching the limit would take too many requests',
  }),
  unseen('internal-error', '7', 'An unexpected error of the service is answered with 500.', {
    otherwise: 'The app can’t tell users that the service failed.',
    reason: 'no request should cause it',
  }),
]

function unseen(
  id: string,
  section: string,
  rule: string,
  { otherwise = 'Nothing is missing in the app.', reason }: { otherwise?: string; reason: string },
): Rule {
  return { id, section, rule, otherwise, check: reason }
}

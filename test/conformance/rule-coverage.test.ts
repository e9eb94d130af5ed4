import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RULES } from '../../src/conformance/rules/rules.ts'

const DOCUMENT = join(import.meta.dirname, '../../docs/spec-coverage.md')

/** The requirements of the specification, without what it leaves open. */
const requirements = readFileSync(DOCUMENT, 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .flatMap((line) => (line.split('|')[1] ?? '').trim().split('<br>'))
  .filter((row) => !row.includes('ours'))

/** The rules that check a requirement, separated by spaces, if its words don't name them. */
const CHECKED_BY: Record<string, string> = {
  '1 UTM parameters': 'field-utm-analytics-enabled field-utm-source',
  '1 a custom preview, shown when the link is unfurled': 'preview-card',
  '1 QR codes': 'qr-code',
  '1 paged and sortable lists': 'page sort-created-at',
  '2.1 `destination_url`': 'link-destination',
  '2.1 `shortlink_url`': 'link-short-url',
  '2.1 `name`, `destination_url` and `shortlink_url` are always present':
    'link-name link-destination link-short-url',
  '2.1 `preview_image` is the URL of the file': 'preview-image-file',
  '2.2 a domain record is identified by its ID, and its domain_name is the hostname':
    'unknown-domain hostname',
  '2.3 name and description': 'key-attributes',
  '2.3 type Organization: organization-level resources': 'key-types',
  '2.3 type Self: personal resources only': 'key-types',
  '2.3 the key value is shown once': 'key-shown-once',
  '4.1 POST, multipart/form-data, the body is required': 'no-body unreadable-body',
  '4.1 field `destination_url`': 'create-200 no-destination invalid-destination',
  '4.1 field `domain`': 'create-200 no-domain',
  '4.1 a back-half that is left out is generated, unique on its domain': 'generated-back-half',
  '4.1 flags are false unless given': 'flags-default',
  '4.1 200 with data.status, data.message, data.shortlink':
    'create-200 create-json data-status data-message data-shortlink',
  '4.1 400 bad request': 'no-body unreadable-body',
  '4.1 401 authentication required': 'create-without-key create-with-unknown-key',
  '4.1 403 permission denied': 'outside-permission',
  '4.1 403 feature limit exceeded': 'feature-limit',
  '4.1 409 duplicate destination URL': 'duplicate-409',
  '4.1 409 back-half conflict': 'back-half-409',
  '4.1 422 validation error': 'flag-values color-values no-destination',
  '4.1 500 internal server error': 'internal-error',
  '4.2 GET; all parameters are optional; no body': 'list-200 list-links',
  '4.3 `page`, 1 unless given': 'page-default page',
  '4.3 `per_page`, 10 unless given': 'per-page-default per-page',
  '4.3 `order`, desc unless given': 'order-default order-asc combined',
  '5.1 every request carries X-API-Key': 'list-without-key create-without-key',
  '5.2 in a header, not in the query or the body': 'key-in-body',
  '5.3 401 AUTHENTICATION_REQUIRED': 'authentication-code list-with-unknown-key',
  '5.4 created in the dashboard, shown once; a new one ends the old one': 'key-shown-once',
  '5.5 keys are secrets': 'key-not-repeated',
  '5.6 the type decides which resources a key reaches': 'key-types',
  '5.7 All': 'create-200 list-200',
  '5.7 Read Only': 'read-only-key',
  '5.7 Restricted': 'restricted-key',
  '5.8 outside the key’s permission: 403': 'outside-permission',
  '7 one structure for all errors: message, status_code, code, details':
    'error-object error-message error-code error-details',
  '7 status_code is the response’s status': 'error-status-code',
  '7 status 200': 'create-200 list-200 statuses',
  '7 status 400': 'no-body',
  '7 status 401': 'list-without-key',
  '7 status 403': 'outside-permission',
  '7 status 404': 'not-found',
  '7 status 409': 'duplicate-409',
  '7 status 422': 'flag-values',
  '7 status 429': 'rate-limit',
  '7 status 500': 'internal-error',
  '8 preview_image: at most 500 KB': 'image-large image-too-large',
  '8 preview_image: jpeg, jpg, png, svg':
    'image-jpeg image-jpg field-preview-image image-svg image-extension',
  '8 per_page is 10 unless given': 'per-page-default',
  '8 beyond a feature limit: 403': 'feature-limit',
  '8 beyond the rate limit: 429': 'rate-limit',
  '9 paths begin with /api/v1/': 'paths',
  '9 the description’s version is 1.0.0': 'version',
}

/** `2.1 \`title\`` is checked by `link-title`, and `4.1 field \`title\`` by `field-title`. */
function rulesFor(requirement: string): string[] {
  const [, kind, name = ''] = /^(2\.1|4\.1 field) `(\w+)`$/.exec(requirement) ?? []
  const prefix = kind === '2.1' ? 'link' : 'field'
  return (CHECKED_BY[requirement] ?? `${prefix}-${name.replaceAll('_', '-')}`).split(' ')
}

test.each(requirements)('§%s has its rule', (requirement) => {
  const rules = rulesFor(requirement)
  expect(RULES.map(({ id }) => id)).toEqual(expect.arrayContaining(rules))
})

test('every requirement named here exists', () => {
  expect(Object.keys(CHECKED_BY).filter((row) => !requirements.includes(row))).toEqual([])
})

import fc from 'fast-check'
import { createRequest } from '../../src/contract/link-requests.ts'

/** A placeholder for the token that the dashboard's forms contain. */
export const CSRF = '--csrf--'

const NASTY = [
  ...[
    '',
    '\0',
    '__proto__',
    'constructor',
    'null',
    'true',
    '-1',
    '1e999',
    '%',
    '%00',
    '%ff',
    '../..',
  ],
  ...['https://example.com/', 'https://[::1]/', 'javascript:alert(1)', 'x'.repeat(5_000), '\ud800'],
  ...[
    "' or 1=1 --",
    '<script>',
    '\u202e',
    '9007199254740993',
    '2026-13-45',
    '\r\n\r\n',
    '{}',
    '[]',
  ],
]

const text = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
)

/** As UTF-8, one character for each byte. */
const bytes = (value: string): string => Buffer.from(value).toString('latin1')

/** Everything that Node's client is able to send as a path. */
export const encoded = text.map((value) =>
  bytes(value).replace(/[^!-~]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`),
)

export const FORM = 'application/x-www-form-urlencoded'
export const MULTIPART = 'multipart/form-data; boundary=b'

export const contentType = fc.constantFrom(
  FORM,
  MULTIPART,
  'application/json',
  'text/plain',
  'multipart/form-data',
)

/** Pieces of multipart bodies, in any order. */
export const pieces = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['--b\r\n', '\r\n--b--\r\n', '\r\n', 'content-type: image/png\r\n\r\n', '\xff\xfe'],
        'content-disposition: form-data; name="preview_image"; filename="a.svg"\r\n\r\n<svg>',
        'content-transfer-encoding: base64\r\n\r\n',
      ),
      text.map(bytes),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

const fieldsOf = (names: readonly string[], maxKeys = 15): fc.Arbitrary<Record<string, string>> =>
  fc.dictionary(
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, text),
    fc.oneof({ weight: 3, arbitrary: text }, fc.constantFrom('true', 'false', '2099-01-01', '')),
    { maxKeys },
  )

const FIELDS = [...Object.keys(createRequest.shape), 'enabled']

export const multipart = fieldsOf(FIELDS).map((fields) =>
  toMultipart({ domain: 'default', destination_url: 'https://example.com/', ...fields }),
)

/** A change of a link, of few fields, so that many are accepted. */
export const patch = fieldsOf(FIELDS, 3).map((fields) => toMultipart(fields))

/** The dashboard's form of a link. */
export const linkForm = fieldsOf([...FIELDS, 'owner', 'kept_image', 'kept_image_name']).map(
  (fields) => toMultipart({ ...fields, _csrf: CSRF }),
)

/** A CSV file, in most cases with valid headings. */
export const csvImport = fc
  .tuple(
    fc.constantFrom('', '\ufeff'),
    fc.uniqueArray(fc.constantFrom(...FIELDS, 'owner_id', 'x'), { maxLength: 5 }),
    fc.constantFrom(',', ';', '\t', '|'),
    fc.array(
      fc.array(
        fc.oneof(
          text,
          text.map((one) => `"${one.replaceAll('"', '""')}"`),
        ),
        { maxLength: 6 },
      ),
      { maxLength: 5 },
    ),
    fieldsOf(['owner', 'domain']),
  )
  .map(([mark, headings, separator, rows, fields]) => {
    const lines = [['destination_url', ...headings], ...rows].map((row) => row.join(separator))
    return toMultipart({ domain: 'default', ...fields, _csrf: CSRF }, mark + lines.join('\r\n'))
  })

/** @param file the content of a field `file` */
function toMultipart(fields: Record<string, string>, file?: string): string {
  const part = (name: string, value: string, rest = ''): string =>
    `--b\r\ncontent-disposition: form-data; name="${name.replace(/["\r\n]/g, '')}"${rest}\r\n\r\n${value}\r\n`
  const parts = Object.entries(fields).map(([name, value]) => part(name, value))
  if (file !== undefined) parts.push(part('file', file, '; filename="links.csv"'))
  return bytes(`${parts.join('')}--b--\r\n`)
}

export const form = fc
  .tuple(
    fc.dictionary(
      fc.oneof(
        fc.constantFrom('name', 'owner', 'permissions', 'expires', 'password', 'hostname', 'id'),
        text,
      ),
      text,
      { maxKeys: 6 },
    ),
    fc.oneof({ weight: 9, arbitrary: fc.constant(CSRF) }, text),
  )
  .map(([fields, csrf]) =>
    new URLSearchParams(
      Object.entries({ ...fields, _csrf: csrf }).map((pair) =>
        pair.map((one) => one.toWellFormed()),
      ),
    ).toString(),
  )

const json: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, [], {}, 0, 'text'),
  fc.record(
    {
      type: fc.constantFrom(
        'event_callback',
        'block_actions',
        'view_submission',
        'shortcut',
        'url_verification',
        'message_action',
      ),
      team_id: text,
      team: fc.oneof(fc.constant(null), fc.record({ id: text, domain: text })),
      user: fc.oneof(fc.constant(null), text, fc.record({ id: text })),
      trigger_id: fc.oneof(text, fc.constant(7)),
      event_id: text,
      callback_id: fc.constantFrom('shorten_link', 'shorten_message_links', 'x'),
      actions: fc.oneof(fc.constant(null), fc.array(fc.jsonValue(), { maxLength: 2 })),
      view: fc.oneof(
        fc.constant(null),
        fc.record({ id: text, callback_id: text, state: fc.jsonValue(), blocks: fc.jsonValue() }),
      ),
      event: fc.oneof(
        fc.jsonValue(),
        fc.record({
          type: fc.constantFrom(
            'app_home_opened',
            'link_shared',
            'function_executed',
            'app_uninstalled',
            'tokens_revoked',
          ),
          user: text,
          tab: fc.constantFrom('home', 'messages'),
          links: fc.jsonValue(),
          function: fc.jsonValue(),
        }),
      ),
      message: fc.jsonValue(),
      container: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue(),
)

export const slackBody = fc.oneof(
  json.map((value) => [
    `payload=${encodeURIComponent(JSON.stringify(value).toWellFormed())}`,
    FORM,
  ]),
  json.map((value) => [bytes(JSON.stringify(value)), 'application/json']),
  text.map((value) => [
    new URLSearchParams({
      command: '/shorten',
      text: value.toWellFormed(),
      team_id: 'T0',
      user_id: 'U0',
    }).toString(),
    FORM,
  ]),
  fc.tuple(pieces, contentType).map((pair) => [...pair]),
)

import fc from 'fast-check'
import { CREATE_PATH, LIST_PATH, SHORTLINKS_PATH } from '../../src/contract/endpoints.ts'
import {
  contentType,
  csvImport,
  encoded,
  form,
  FORM,
  linkForm,
  multipart,
  MULTIPART,
  patch,
  pieces,
  slackBody,
} from './fuzzed-bodies.ts'

/** A placeholder for the name of a link. The number chooses one. */
export const LINK = /--link-(\d+)--/

/** A request as it will be sent. */
export interface FuzzedRequest {
  to: 'service' | 'app'
  method: string
  path: string
  headers: Record<string, string>
  /** One character for each byte. */
  body: string
  /** Whether the API key and the session, or Slack's signature, come with it. */
  credentials: boolean
}

const method = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('GET', 'POST') },
  fc.constantFrom('HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'QUERY'),
)

const PARAMETERS = [
  ...['page', 'per_page', 'sort_by', 'order', 'q', 'from', 'to', 'owner', 'domain', 'state'],
  ...['sort', 'size', 'margin', 'color'],
]

const query = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.tuple(fc.constantFrom(...PARAMETERS), encoded) },
      fc.tuple(encoded, encoded),
      fc.tuple(
        fc.constantFrom('from', 'to'),
        fc.constantFrom('2026-01-01', '2026-12-31', '1970-01-01', '9999-12-31', '2026-02-30'),
      ),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => (pairs.length > 0 ? `?${pairs.map((pair) => pair.join('=')).join('&')}` : ''))

/** Back-halves, some of which exist after a while. */
const backHalf = fc.oneof(encoded, fc.constantFrom('api', 'dashboard', 'docs', 'spring'))

const credentials = fc.nat(9).map((one) => one > 0)

const linkName = fc.oneof(
  { weight: 9, arbitrary: fc.nat(999).map((number) => `--link-${number}--`) },
  encoded,
)

/** A single link. Most requests to it read or change it, so that not all of them are soon deleted. */
const toLink = fc
  .tuple(
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('GET', 'PATCH') },
      fc.constantFrom('DELETE', 'HEAD', 'POST', 'PUT'),
    ),
    linkName,
    fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fc.constantFrom('/clicks', '/', '/x')),
    query,
    fc.option(
      fc.oneof(
        fc.constantFrom(
          '*',
          '"1"',
          'W/"1"',
          '"1", "2"',
          '"',
          '1',
          '"-1"',
          '"1e9"',
          '"99999999999"',
        ),
        encoded,
      ),
      { nil: undefined },
    ),
    fc.oneof({ weight: 4, arbitrary: patch }, pieces),
    credentials,
  )
  .map(([verb, name, rest, search, ifMatch, body, hasCredentials]): FuzzedRequest => ({
    to: 'service',
    method: verb,
    path: `${SHORTLINKS_PATH}/${name}${rest}${search}`,
    headers: { 'content-type': MULTIPART, ...(ifMatch !== undefined && { 'if-match': ifMatch }) },
    body: verb === 'GET' || verb === 'HEAD' ? '' : body,
    credentials: hasCredentials,
  }))

/** The dashboard's forms and files of links. */
const toDashboard = fc
  .tuple(
    fc.oneof(
      fc.constantFrom('/links/new', '/import', '/links.csv', ''),
      fc
        .tuple(
          linkName,
          fc.constantFrom('', '/edit', '/delete', '/turn-off', '/turn-on', '/qr.svg', '/x'),
        )
        .map(([name, rest]) => `/links/${name}${rest}`),
    ),
    fc.constantFrom('GET', 'POST'),
    query,
    fc.oneof(
      csvImport.map((body) => [body, MULTIPART]),
      linkForm.map((body) => [body, MULTIPART]),
      form.map((body) => [body, FORM]),
    ),
  )
  .map(([path, verb, search, [body = '', type = '']]): FuzzedRequest => ({
    to: 'service',
    method: verb,
    path: `/dashboard${path}${search}`,
    headers: { 'content-type': type },
    body: verb === 'GET' ? '' : body,
    credentials: true,
  }))

const servicePath = fc.oneof(
  fc.constantFrom(
    CREATE_PATH,
    LIST_PATH,
    '/api/v1/openapi.json',
    '/docs',
    '/healthz',
    '/readyz',
    '/',
  ),
  backHalf.map((one) => `/${one}`),
  fc
    .tuple(backHalf, fc.constantFrom('qr.png', 'qr.svg', 'preview', 'x'))
    .map((pair) => `/${pair.join('/')}`),
  fc
    .tuple(
      fc.constantFrom('', '/links', '/keys', '/domains', '/sign-in', '/sign-out'),
      fc.oneof(
        fc.constant(''),
        encoded.map((one) => `/${one}`),
      ),
      fc.constantFrom('', '/rotate', '/revoke', '/qr.png', '/remove'),
    )
    .map((parts) => `/dashboard${parts.join('')}`),
)

const appPath = fc.oneof(
  { weight: 6, arbitrary: fc.constant('/slack/events') },
  fc.constantFrom(
    '/slack/install',
    '/slack/',
    '/slack/privacy',
    '/slack/oauth_redirect',
    '/healthz',
    '/readyz',
    '/slack/%65vents',
    '/',
  ),
  encoded.map((one) => `/qr/${one}`),
  encoded.map((one) => `/${one}`),
)

const agent = fc.constantFrom('', 'Slackbot-LinkExpanding 1.0', 'Mozilla/5.0', 'Twitterbot/1.0')

const toService = fc
  .tuple(
    method,
    servicePath,
    query,
    fc.oneof(
      multipart.map((body) => [body, MULTIPART]),
      form.map((body) => [body, FORM]),
      fc.tuple(pieces, contentType).map((pair) => [...pair]),
    ),
    agent,
    credentials,
  )
  .map(
    ([verb, path, search, [body = '', type = ''], userAgent, hasCredentials]): FuzzedRequest => ({
      to: 'service',
      method: verb,
      path: path + search,
      headers: { 'content-type': type, 'user-agent': userAgent },
      body: verb === 'GET' || verb === 'HEAD' ? '' : body,
      credentials: hasCredentials,
    }),
  )

const toApp = fc
  .tuple(
    fc.oneof({ weight: 5, arbitrary: fc.constant('POST') }, method),
    appPath,
    query,
    slackBody,
    credentials,
  )
  .map(([verb, path, search, [body = '', type = ''], hasCredentials]): FuzzedRequest => ({
    to: 'app',
    method: verb,
    path: path + search,
    headers: { 'content-type': type },
    body: verb === 'GET' || verb === 'HEAD' ? '' : body,
    credentials: hasCredentials,
  }))

export const fuzzedRequests: fc.Arbitrary<FuzzedRequest> = fc.oneof(
  { weight: 4, arbitrary: toService },
  { weight: 2, arbitrary: toLink },
  { weight: 1, arbitrary: toDashboard },
  { weight: 3, arbitrary: toApp },
)

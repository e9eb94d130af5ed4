import fc from 'fast-check'
import { CREATE_PATH, LIST_PATH } from '../../src/contract/endpoints.ts'
import {
  contentType,
  encoded,
  form,
  FORM,
  multipart,
  MULTIPART,
  pieces,
  slackBody,
} from './fuzzed-bodies.ts'

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

const query = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom(
          'page',
          'per_page',
          'sort_by',
          'order',
          'q',
          'sort',
          'size',
          'margin',
          'color',
        ),
        encoded,
      ),
      encoded,
    ),
    { maxLength: 4 },
  )
  .map((pairs) => (pairs.length > 0 ? `?${pairs.map((pair) => pair.join('=')).join('&')}` : ''))

/** Back-halves, some of which exist after a while. */
const backHalf = fc.oneof(encoded, fc.constantFrom('api', 'dashboard', 'docs', 'spring'))

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
const credentials = fc.nat(9).map((one) => one > 0)

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
  { weight: 2, arbitrary: toService },
  toApp,
)

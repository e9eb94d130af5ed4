import { z } from 'zod'
import { REMOVAL, UPDATE } from '../../client/calls.ts'
import { readAs, readJson } from '../../client/json.ts'
import { createFindable, type ReceivedPage } from '../../client/lost-create.ts'
import {
  createRequests,
  pathSegment,
  withQuery,
  type DriverOptions,
  type RequestParts,
  type Requests,
} from '../../client/requests.ts'
import * as endpoints from '../../contract/endpoints.ts'
import * as calls from '../../contract/extension-calls.ts'
import { createRequest, updateRequest } from '../../contract/link-requests.ts'
import { reportEnvelope } from '../../contract/report.ts'
import { SPECIFICATION } from '../../port/capabilities.ts'
import { failureOf, LinkServiceError, ResponseShapeError } from '../../port/failures.ts'
import type { CallOptions, LinkQuery, LinkService } from '../../port/link-service.ts'
import { receivedListedLink } from '../../port/links.ts'
import { readLinkPage } from './link-page.ts'
import { encodeForm } from './multipart.ts'
import { readApiError, type About } from './read-api-error.ts'
import { parseCapabilities } from './read-capabilities.ts'

// A record that no service has. A service that doesn't refuse it doesn't check records, so trying others is useless.
const UNKNOWN_DOMAIN = 'backhalf-tries-an-unknown-domain'

export const MAX_DOMAINS = 100
const CAPABILITIES_WITHIN_MS = 4_000
// The key is refused, or the service is too busy.
const UNDECIDED_STATUSES = [401, 408, 429]

const receivedCreate = z.object({ data: z.object({ shortlink: receivedListedLink }) })

// Another service might lack these members, so they are not required.
const IGNORED_MEMBERS = { status: true, message: true } as const
const received = {
  link: z.object({ data: calls.linkEnvelope.shape.data.omit(IGNORED_MEMBERS) }),
  done: z.object({ data: calls.doneEnvelope.shape.data.omit(IGNORED_MEMBERS) }),
  clicks: z.object({ data: calls.clicksEnvelope.shape.data.omit(IGNORED_MEMBERS) }),
}

/** The driver for a link service that follows the specification. It can also call what only our service offers. */
export function createLinkClient(driverOptions: DriverOptions) {
  const requests = createRequests<About>(driverOptions, {
    headers: { [endpoints.API_KEY_HEADER]: driverOptions.apiKey },
    readError: readApiError,
  })
  const { clock, call, send, read, ask } = requests

  async function listOnce(query: LinkQuery, signal: AbortSignal): Promise<ReceivedPage> {
    const { page = 1, per_page: perPage = 10, ...rest } = query
    const path = withQuery(endpoints.LIST_PATH, { page, per_page: perPage, ...rest })
    const response = await send('GET', path, { signal })
    const { status } = response
    const isSearch = query.q !== undefined
    return { response, page: readLinkPage(readJson(response), { status, page, perPage, isSearch }) }
  }

  /** Returns what the error says about a domain record. Without a destination, no link is created. */
  const tryDomain = (domain: string, options: CallOptions): Promise<string | undefined> =>
    call('try_domain', options, async (signal) => {
      try {
        const form = encodeForm({ domain })
        const { status } = await send('POST', endpoints.CREATE_PATH, { ...form, signal })
        throw new ResponseShapeError(status, 'no complaint about a missing destination')
      } catch (error) {
        const refusal = failureOf(error, 'invalid')
        if (!refusal) throw error
        return refusal.fields['domain']
      }
    })

  return {
    ...singleLinkCalls(requests),
    ...personCalls(requests),

    async create(request, options) {
      const form = encodeForm(z.encode(createRequest, request))
      const parts = {
        body: form.body,
        headers: {
          ...form.headers,
          [endpoints.CREATED_BY_HEADER]: options.createdBy,
          [endpoints.IDEMPOTENCY_KEY_HEADER]: options.idempotencyKey,
        },
        mayConflict: { backHalf: Boolean(request.back_half) },
      }
      const post = async (signal: AbortSignal) => {
        const request = { ...parts, signal }
        return (await read(receivedCreate, 'POST', endpoints.CREATE_PATH, request)).data.shortlink
      }
      return createFindable(requests, options, request, post, listOnce)
    },

    list: (query = {}, options = {}) =>
      call('list', options, async (signal) => (await listOnce(query, signal)).page),

    async listDomains(options = {}) {
      const path = withQuery(endpoints.DOMAINS_PATH, { per_page: MAX_DOMAINS })
      const { data } = await ask('list_domains', options, calls.domainsEnvelope, 'GET', path, {})
      return { domains: data.domains, hasMore: data.pagination.total_items > data.domains.length }
    },

    async tags(options = {}) {
      const path = endpoints.TAGS_PATH
      return (await ask('list_tags', options, calls.tagsEnvelope, 'GET', path, {})).data.tags
    },

    async report(query = {}, options = {}) {
      const path = withQuery(endpoints.REPORTS_PATH, query)
      return (await ask('report', options, reportEnvelope, 'GET', path, {})).data.report
    },

    async tryDomains(names, options = {}) {
      if ((await tryDomain(UNKNOWN_DOMAIN, options)) === undefined) return undefined
      return Promise.all(names.map((name) => tryDomain(name, options)))
    },

    async readCapabilities() {
      try {
        const signal = clock.timeout(CAPABILITIES_WITHIN_MS)
        return parseCapabilities((await send('GET', endpoints.OPENAPI_PATH, { signal })).text)
      } catch (error) {
        // A service without the document offers only the specification. After other errors, it might have the document.
        const status = (error instanceof LinkServiceError && error.status) || 500
        const hasNoDocument = status < 500 && !UNDECIDED_STATUSES.includes(status)
        return hasNoDocument ? SPECIFICATION : undefined
      }
    },
  } satisfies LinkService
}

function singleLinkCalls({ call, send, read, ask }: Requests<About>) {
  async function requestLink(method: 'GET' | 'PATCH', name: string, parts: RequestParts<About>) {
    const response = await send(method, linkPath(name), { ...parts, isAboutLink: true })
    const { shortlink } = readAs(received.link, response).data
    const etag = readEtag(response.header('etag'))
    return { link: shortlink, ...(etag !== undefined && { etag }) }
  }

  return {
    get: (name, options = {}) =>
      call('get', options, (signal) => requestLink('GET', name, { signal })),

    async update(name, changes, { etag, createdBy, ...options } = {}) {
      const { headers, body } = encodeForm(z.encode(updateRequest, changes))
      const { back_half, domain, destination_url } = changes
      const moves = back_half !== undefined || domain !== undefined
      const parts = {
        headers: { ...headers, 'if-match': etag, [endpoints.CREATED_BY_HEADER]: createdBy },
        body,
        ...((moves || destination_url !== undefined) && { mayConflict: { backHalf: moves } }),
      }
      const change = (signal: AbortSignal) => requestLink('PATCH', name, { ...parts, signal })
      return call('update', options, change, UPDATE)
    },

    async remove(name, { etag, createdBy, ...options } = {}) {
      const path = linkPath(name)
      const headers = { 'if-match': etag, [endpoints.CREATED_BY_HEADER]: createdBy }
      const remove = (signal: AbortSignal) =>
        read(received.done, 'DELETE', path, { headers, signal, isAboutLink: true })
      await call('remove', options, remove, REMOVAL)
    },

    async clicks(name, options = {}) {
      const path = `${linkPath(name)}/clicks`
      const about = { isAboutLink: true }
      return (await ask('clicks', options, received.clicks, 'GET', path, about)).data.clicks
    },
  } satisfies Partial<LinkService>
}

function linkPath(name: string): string {
  return `${endpoints.SHORTLINKS_PATH}/${pathSegment(name)}`
}

/** Returns a strong ETag: `W/"3"` → `"3"`. Proxies that compress weaken it, and `If-Match` needs a strong one. */
function readEtag(header = ''): string | undefined {
  return /^(?:W\/)?("[\x21\x23-\x7e]{1,200}")$/.exec(header.trim())?.[1]
}

function personCalls({ ask }: Requests<About>) {
  const about = { isAboutPerson: true }
  return {
    async signIn(person, request) {
      const form = encodeForm(request)
      const headers = { ...form.headers, [endpoints.CREATED_BY_HEADER]: person }
      const parts = { ...form, headers, ...about }
      const path = endpoints.SIGN_INS_PATH
      return (await ask('sign_in', {}, calls.signInEnvelope, 'POST', path, parts)).data
    },

    async endSessions(filter) {
      const path = withQuery(endpoints.SESSIONS_PATH, filter)
      await ask('end_sessions', {}, calls.doneEnvelope, 'DELETE', path, about)
    },

    async erasePerson(id) {
      const path = `${endpoints.PEOPLE_PATH}/${encodeURIComponent(id)}`
      await ask('erase_person', {}, calls.doneEnvelope, 'DELETE', path, about)
    },
  } satisfies Partial<LinkService>
}

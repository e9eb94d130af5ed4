import { z } from 'zod'
import { readJson } from '../../client/json.ts'
import { createFindable, type ReceivedPage } from '../../client/lost-create.ts'
import { createRequests, withQuery, type DriverOptions } from '../../client/requests.ts'
import * as endpoints from '../../contract/endpoints.ts'
import { domainsEnvelope, tagsEnvelope } from '../../contract/extension-calls.ts'
import { createRequest } from '../../contract/link-requests.ts'
import { CREATED_BY_HEADER } from '../../contract/person.ts'
import { reportEnvelope } from '../../contract/report.ts'
import { SPECIFICATION } from '../../port/capabilities.ts'
import { failureOf, LinkServiceError, ResponseShapeError } from '../../port/failures.ts'
import type { CallOptions, LinkQuery, LinkService } from '../../port/link-service.ts'
import { receivedListedLink } from '../../port/links.ts'
import { readLinkPage } from './link-page.ts'
import { encodeForm } from './multipart.ts'
import { personCalls, singleLinkCalls } from './one-link.ts'
import { readApiError, type About } from './read-api-error.ts'
import { parseCapabilities } from './read-capabilities.ts'

// A record that no service has. A service that doesn't refuse it doesn't check records, so trying others is useless.
const UNKNOWN_DOMAIN = 'backhalf-tries-an-unknown-domain'

export const MAX_DOMAINS = 100
const CAPABILITIES_WITHIN_MS = 4_000
// The key is refused, or the service is too busy.
const UNDECIDED_STATUSES = [401, 408, 429]

const receivedCreate = z.object({ data: z.object({ shortlink: receivedListedLink }) })

/** The driver for a link service that follows the specification. It can also call what only our service offers. */
export function createLinkClient(options: DriverOptions) {
  const requests = createRequests<About>(options, {
    headers: { [endpoints.API_KEY_HEADER]: options.apiKey },
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
  const tryDomain = (domain: string, callOptions: CallOptions): Promise<string | undefined> =>
    call('try_domain', callOptions, async (signal) => {
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

    async create(request, createOptions) {
      const form = encodeForm(z.encode(createRequest, request))
      const parts = {
        body: form.body,
        headers: {
          ...form.headers,
          [CREATED_BY_HEADER]: createOptions.createdBy,
          [endpoints.IDEMPOTENCY_KEY_HEADER]: createOptions.idempotencyKey,
        },
        mayConflict: { backHalf: Boolean(request.back_half) },
      }
      const post = async (signal: AbortSignal) => {
        const request = { ...parts, signal }
        return (await read(receivedCreate, 'POST', endpoints.CREATE_PATH, request)).data.shortlink
      }
      return createFindable(requests, createOptions, request, post, listOnce)
    },

    list: (query = {}, callOptions = {}) =>
      call('list', callOptions, async (signal) => (await listOnce(query, signal)).page),

    async listDomains(callOptions = {}) {
      const path = withQuery(endpoints.DOMAINS_PATH, { per_page: MAX_DOMAINS })
      const { data } = await ask('list_domains', callOptions, domainsEnvelope, 'GET', path, {})
      return { domains: data.domains, hasMore: data.pagination.total_items > data.domains.length }
    },

    tags: async (callOptions = {}) =>
      (await ask('list_tags', callOptions, tagsEnvelope, 'GET', endpoints.TAGS_PATH, {})).data.tags,

    async report(query = {}, callOptions = {}) {
      const path = withQuery(endpoints.REPORTS_PATH, query)
      return (await ask('report', callOptions, reportEnvelope, 'GET', path, {})).data.report
    },

    async tryDomains(names, callOptions = {}) {
      if ((await tryDomain(UNKNOWN_DOMAIN, callOptions)) === undefined) return undefined
      return Promise.all(names.map((name) => tryDomain(name, callOptions)))
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

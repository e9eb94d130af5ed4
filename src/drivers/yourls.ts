import { z } from 'zod'
import { createRequests, type DriverOptions } from '../client/requests.ts'
import { readAs } from '../client/json.ts'
import { createFindable, type ReceivedPage } from '../client/lost-create.ts'
import { effectiveDestination } from '../contract/destination.ts'
import { SPECIFICATION, type Capabilities } from '../port/capabilities.ts'
import type { Failure } from '../port/failures.ts'
import type { LinkQuery, LinkService } from '../port/link-service.ts'
import { backHalfOf, linkPage, linkSchema, type ListedLink } from '../port/links.ts'
import { splitUtm, UTM_FIELDS, withoutUtm } from './utm-destination.ts'

const CAPABILITIES: Capabilities = {
  ...SPECIFICATION,
  get: true,
  fields: ['destination_url', 'back_half', ...UTM_FIELDS, 'domain', 'title'],
  sorts: ['most_recent'],
  orders: ['desc'],
  domains: true,
}

const receivedLink = z.object({
  shorturl: z.url(),
  url: z.string(),
  title: z.string().nullish(),
  timestamp: z.string().optional(),
  clicks: z.coerce.number().optional(),
})
const toLink = ({ shorturl, url, title, timestamp, clicks }: z.infer<typeof receivedLink>) => ({
  ...withoutUtm(url),
  name: backHalfOf({ name: '', destination_url: url, shortlink_url: shorturl }),
  shortlink_url: shorturl,
  // YOURLS uses the destination as the title of a link without a title.
  title: title === url ? undefined : title,
  created_at: timestamp?.replace(' ', 'T'),
  clicks,
})
const yourlsLink = linkSchema(receivedLink, toLink)

const createdLink = linkSchema(
  z.object({
    shorturl: z.url(),
    url: z.object({ url: z.string(), title: z.string().nullish(), date: z.string().optional() }),
  }),
  ({ shorturl, url: { url, title, date } }) => toLink({ shorturl, url, title, timestamp: date }),
)

// PHP writes an empty object as a list.
const statsResponse = z.object({
  links: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]).optional(),
  stats: z.object({ total_links: z.coerce.number() }),
})

const SAMPLE_LINKS = 100

/** The driver for YOURLS (https://yourls.org), tried with YOURLS 1.10. Plugins can change anything. */
export function createYourls(options: DriverOptions): LinkService {
  const { apiKey } = options
  const requests = createRequests(options, {
    headers: {},
    readError(json, status) {
      const { code, message } = errorResponse.safeParse(json).data ?? {}
      return { failure: readFailure(json, status, code, message), message, code }
    },
  })
  const { clock, call, send, base } = requests
  const host = new URL(base).host

  /** Sends an action of YOURLS. The API key is in the body, because servers log URLs. */
  function sendAction(action: string, signal: AbortSignal, parameters: Record<string, string>) {
    const form = { signature: apiKey, format: 'json', action, ...parameters }
    return send('POST', '/yourls-api.php', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(new URLSearchParams(form).toString()),
      signal,
    })
  }

  async function listOnce(query: LinkQuery, signal: AbortSignal): Promise<ReceivedPage> {
    const { page = 1, per_page: perPage = 10 } = query
    const start = String((page - 1) * perPage)
    const paging = { filter: 'last', limit: String(perPage), start }
    const response = await sendAction('stats', signal, paging)
    const { links = [], stats } = readAs(statsResponse, response)
    const items = Object.values(links)
    const totalItems = stats.total_links
    return { response, page: linkPage(items, yourlsLink, { page, perPage, totalItems }) }
  }

  return {
    async create(original, createOptions) {
      const request = splitUtm(original)
      const url = effectiveDestination(request.destination_url, request)
      const post = async (signal: AbortSignal): Promise<ListedLink> => {
        const response = await sendAction('shorturl', signal, {
          url,
          ...(request.back_half && { keyword: request.back_half }),
          // If the title is missing, YOURLS fetches the page to find one.
          title: request.title || url,
        })
        return readAs(createdLink, response)
      }
      const list = async (query: LinkQuery, signal: AbortSignal): Promise<ReceivedPage> => {
        const { page, response } = await listOnce(query, signal)
        // YOURLS writes times without a zone, so they don't show whether a link is older than a lost response.
        const links = page.links.map((link) => ({ ...link, created_at: undefined }))
        return { response, page: { ...page, links } }
      }
      return createFindable(requests, createOptions, request, post, list)
    },

    list: (query = {}, callOptions = {}) =>
      call('list', callOptions, async (signal) => (await listOnce(query, signal)).page),

    /**
     * YOURLS removes characters from a back-half that its settings and plugins don't allow, and can't be asked which.
     * So only characters that are in back-halves of existing links are offered.
     */
    async readCapabilities() {
      try {
        const signal = clock.timeout(CAPABILITIES_WITHIN_MS)
        const { page } = await listOnce({ per_page: SAMPLE_LINKS }, signal)
        return { ...CAPABILITIES, backHalf: observedRules(page.links) }
      } catch {
        return undefined
      }
    },

    get: (name, callOptions = {}) =>
      call('get', callOptions, async (signal) => {
        const response = await sendAction('url-stats', signal, { shorturl: name })
        return { link: readAs(z.object({ link: yourlsLink }), response).link }
      }),

    listDomains: (callOptions = {}) =>
      call('list_domains', callOptions, async (signal) => {
        const [link] = (await listOnce({ per_page: 1 }, signal)).page.links
        const domain_name = link ? new URL(link.shortlink_url).host : host
        return { domains: [{ name: host, domain_name }], hasMore: false }
      }),
  }
}

const CAPABILITIES_WITHIN_MS = 4_000

function observedRules(links: readonly ListedLink[]): Capabilities['backHalf'] {
  const used = links.map(backHalfOf).join('')
  const hasUpperCase = /[A-Z]/.test(used)
  const hasDash = used.includes('-')
  const allowed = [hasUpperCase ? 'letters' : 'small letters', 'digits', ...(hasDash ? ['-'] : [])]
  return {
    pattern: `^[a-z0-9${hasUpperCase ? 'A-Z' : ''}${hasDash ? '-' : ''}]*$`,
    allows: new Intl.ListFormat('en-GB').format(allowed),
    maxLength: 100,
  }
}

const errorResponse = z.object({
  code: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
})

const IS_SHORT_LINK = 'This is a short link of the same service. Use its destination.'

function readFailure(
  json: unknown,
  status: number,
  code: string | undefined,
  message = '',
): Failure | undefined {
  switch (code) {
    case 'error:url':
      return { kind: 'duplicate', link: createdLink.safeParse(json).data }
    case 'error:keyword':
      return { kind: 'back_half_taken' }
    case 'error:noloop':
      return { kind: 'invalid', fields: { destination_url: IS_SHORT_LINK } }
    case 'error:concurrency':
      return { kind: 'busy', retryAfterMs: 2_000 }
    default:
      if (status === 403) return { kind: 'unauthorized' }
      return status === 404 && /short url not found/i.test(message) ? { kind: 'gone' } : undefined
  }
}

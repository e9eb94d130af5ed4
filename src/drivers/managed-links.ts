import { REMOVAL, UPDATE } from '../client/calls.ts'
import type { Requests } from '../client/requests.ts'
import type { DomainRecord, LinkClicks } from '../contract/extension-calls.ts'
import type { UpdateRequest } from '../contract/link-requests.ts'
import type { Capabilities } from '../port/capabilities.ts'
import { LinkServiceError } from '../port/failures.ts'
import type { LinkQuery, LinkService } from '../port/link-service.ts'
import type { LinkPage, ListedLink, ReadLink } from '../port/links.ts'

interface LinkCalls {
  list: (query: LinkQuery, signal: AbortSignal) => Promise<LinkPage>
  get: (name: string, signal: AbortSignal) => Promise<ListedLink>
  change: (
    name: string,
    link: ListedLink,
    changes: UpdateRequest,
    signal: AbortSignal,
  ) => Promise<ListedLink>
  remove: (name: string, signal: AbortSignal) => Promise<unknown>
  clicks: (name: string, signal: AbortSignal) => Promise<LinkClicks>
  listDomains: (signal: AbortSignal) => Promise<DomainRecord[]>
}

/** Builds a driver's calls except `create`. The service has no ETags, so a link's `updated_at` serves as one. */
export function managedLinks(
  { call }: Pick<Requests, 'call'>,
  capabilities: Capabilities,
  calls: LinkCalls,
) {
  return {
    readCapabilities: async () => capabilities,

    list: (query = {}, options = {}) =>
      call('list', options, (signal) => calls.list(query, signal)),

    get: (name, options = {}) =>
      call('get', options, async (signal) => withEtag(await calls.get(name, signal))),

    async update(name, changes, { etag, ...options } = {}) {
      async function change(signal: AbortSignal): Promise<ReadLink> {
        const link = await calls.get(name, signal)
        const { updated_at: version } = link
        if (etag !== undefined && version !== undefined && etag !== version) {
          throw new LinkServiceError('The link has changed.', { failure: { kind: 'changed' } })
        }
        return withEtag(await calls.change(name, link, changes, signal))
      }
      return call('update', options, change, UPDATE)
    },

    async remove(name, options = {}) {
      await call('remove', options, (signal) => calls.remove(name, signal), REMOVAL)
    },

    clicks: (name, options = {}) => call('clicks', options, (signal) => calls.clicks(name, signal)),

    listDomains: (options = {}) =>
      call('list_domains', options, async (signal) => {
        return { domains: await calls.listDomains(signal), hasMore: false }
      }),
  } satisfies Partial<LinkService>
}

export function hostnameRecord(hostname: string): DomainRecord {
  return { name: hostname, domain_name: hostname }
}

function withEtag(link: ListedLink): ReadLink {
  return { link, ...(link.updated_at && { etag: link.updated_at }) }
}

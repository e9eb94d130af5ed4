import { z } from 'zod'
import { SHORTLINKS_PATH } from '../../contract/endpoints.ts'
import {
  clicksEnvelope,
  doneEnvelope,
  linkEnvelope,
  type LinkClicks,
  type WholeShortlink,
} from '../../contract/extension-calls.ts'
import type { UpdateRequest } from '../../contract/link-requests.ts'
import { MADE_BY_HEADER } from '../../contract/person.ts'
import type { CallOptions, MakeCall } from '../../client/calls.ts'
import { LinkGoneError } from '../../port/failures.ts'
import type { ListedLink } from './link-page.ts'
import { encodeUpdateRequest } from './multipart.ts'
import type { HttpRequest, HttpResponse } from '../../client/transport.ts'

export interface EditOptions extends CallOptions {
  /** The ETag of the link when it was read. If the link has changed since, nothing is done. */
  etag?: string | undefined
  /** Who acts (src/contract/person.ts). Only if the service offers it. */
  madeBy?: string | undefined
}

/** What is known about a single link: at least what a list shows, and everything if the service has the call for it. */
export type LinkDetails = ListedLink & {
  [Member in keyof WholeShortlink]?: WholeShortlink[Member] | undefined
}

/** A link as it was read, and what an edit needs so that it does not overwrite another edit. */
export interface ReadLink<Link = LinkDetails> {
  link: Link
  /** The value for `If-Match`; absent if the service sends no ETag. */
  etag?: string
}

export interface RequestParts extends Partial<HttpRequest> {
  /** Whether it is about a single link, which may be gone or have changed. */
  isAboutLink?: boolean
}

/** What is read of our calls' answers. As for a create, `status` and `message` are not needed. */
const UNREAD = { status: true, message: true } as const
const received = {
  link: z.object({ data: linkEnvelope.shape.data.omit(UNREAD) }),
  done: z.object({ data: doneEnvelope.shape.data.omit(UNREAD) }),
  clicks: z.object({ data: clicksEnvelope.shape.data.omit(UNREAD) }),
}

/** Sends a request with the API key, and reads the `data` of the response. @throws LinkServiceError */
export type Ask = <T>(
  method: HttpRequest['method'],
  path: string,
  envelope: z.ZodType<{ data: T }>,
  more: RequestParts,
) => Promise<{ data: T; response: HttpResponse }>

/** Calls for a single link, beyond the specification. All throw LinkServiceError. */
export function createOneLink(ask: Ask, make: MakeCall) {
  async function askAboutLink(
    method: 'GET' | 'PATCH',
    name: string,
    more: RequestParts,
  ): Promise<ReadLink<WholeShortlink>> {
    const about = { ...more, isAboutLink: true }
    const { data, response } = await ask(method, pathOf(name), received.link, about)
    const etag = etagOf(response)
    return { link: data.shortlink, ...(etag !== undefined && { etag }) }
  }

  return {
    /** @throws LinkGoneError if there is no such link (anymore) */
    get: (name: string, options: CallOptions = {}): Promise<ReadLink> =>
      make('get', options, (signal) => askAboutLink('GET', name, { signal })),

    /**
     * Changes a link. If the answer gets lost, the change is sent again, which does no harm: it sets the same
     * values.
     *
     * @returns the link after the change
     * @throws StaleEditError if the link has changed since it was read; LinkGoneError; ZodError if the change
     *   violates the contract
     */
    async update(
      name: string,
      changes: UpdateRequest,
      { etag, madeBy, ...options }: EditOptions = {},
    ): Promise<ReadLink> {
      const { headers, body } = encodeUpdateRequest(changes)
      const more = { headers: { ...headers, ...ifMatch(etag), ...madeByHeader(madeBy) }, body }
      const attempt = (signal: AbortSignal) => askAboutLink('PATCH', name, { ...more, signal })
      return make('update', options, attempt, {})
    },

    /**
     * Deletes a link. If the answer gets lost, the deletion is sent again; the link is deleted if it is gone
     * then.
     *
     * @throws StaleEditError if the link has changed since it was read; LinkGoneError if it was gone before
     */
    async remove(name: string, { etag, madeBy, ...options }: EditOptions = {}): Promise<void> {
      const path = pathOf(name)
      const headers = { ...ifMatch(etag), ...madeByHeader(madeBy) }
      const attempt = (signal: AbortSignal): Promise<unknown> =>
        ask('DELETE', path, received.done, { headers, signal, isAboutLink: true })
      await make('remove', options, attempt, {
        look: async (error) => error instanceof LinkGoneError || undefined,
      })
    },

    /** The clicks of the last 30 days. @throws LinkGoneError */
    async clicks(name: string, options: CallOptions = {}): Promise<LinkClicks> {
      const path = `${pathOf(name)}/clicks`
      const { data } = await make('clicks', options, (signal) =>
        ask('GET', path, received.clicks, { signal, isAboutLink: true }),
      )
      return data.clicks
    },
  }
}

/** Adds a query to a path. A member that is undefined is left out, and a list becomes a text with commas. */
export function withQuery(path: string, query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? path : `${path}?${text}`
}

/** @throws LinkGoneError for a name that can't be part of a path: `..` would be another address */
function pathOf(name: string): string {
  if (/^\.{0,2}$/.test(name)) throw new LinkGoneError({ status: 404 })
  return `${SHORTLINKS_PATH}/${encodeURIComponent(name.toWellFormed())}`
}

function ifMatch(etag: string | undefined): Record<string, string> {
  return etag === undefined ? {} : { 'if-match': etag }
}

export function madeByHeader(madeBy: string | undefined): Record<string, string> {
  return madeBy === undefined ? {} : { [MADE_BY_HEADER]: madeBy }
}

/** Proxies that compress an answer mark its tag as weak, and `If-Match` never accepts a weak one. */
function etagOf(response: HttpResponse): string | undefined {
  return /^(?:W\/)?("[\x21\x23-\x7e]{1,200}")$/.exec(response.header('etag')?.trim() ?? '')?.[1]
}

/** The back-half of a link. A list shows it at the end of the short URL. */
export function backHalfOf({ back_half, shortlink_url }: LinkDetails): string {
  return back_half ?? lastSegment(new URL(shortlink_url))
}

/** The back-half in a short URL. */
export function lastSegment({ pathname }: URL): string {
  const segment = pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

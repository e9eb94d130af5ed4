import { z } from 'zod'
import {
  SHORTLINKS_PATH,
  PEOPLE_PATH,
  SESSIONS_PATH,
  SIGN_INS_PATH,
} from '../../contract/endpoints.ts'
import {
  clicksEnvelope,
  doneEnvelope,
  linkEnvelope,
  type DetailedShortlink,
  signInEnvelope,
} from '../../contract/extension-calls.ts'
import { CREATED_BY_HEADER } from '../../contract/person.ts'
import { removeLink, updateLink } from '../../client/calls.ts'
import { readAs } from '../../client/json.ts'
import { pathSegment, type RequestParts, type Requests, withQuery } from '../../client/requests.ts'
import type { LinkService } from '../../port/link-service.ts'
import type { ReadLink } from '../../port/links.ts'
import { encodeUpdateRequest, encodeForm } from './multipart.ts'
import type { About } from './read-api-error.ts'
import type { HttpResponse } from '../../client/transport.ts'

/** Responses are read without these members, because another service might lack them. */
const UNREAD = { status: true, message: true } as const
const received = {
  link: z.object({ data: linkEnvelope.shape.data.omit(UNREAD) }),
  done: z.object({ data: doneEnvelope.shape.data.omit(UNREAD) }),
  clicks: z.object({ data: clicksEnvelope.shape.data.omit(UNREAD) }),
}

/**
 * The calls about a single link, which the specification doesn't have: reading, changing and deleting it, and its
 * clicks.
 */
export function createOneLink({ call, send, read }: Requests<About>) {
  async function askAboutLink(
    method: 'GET' | 'PATCH',
    name: string,
    more: RequestParts<About>,
  ): Promise<ReadLink<DetailedShortlink>> {
    const response = await send(method, linkPath(name), { ...more, isAboutLink: true })
    const { shortlink } = readAs(received.link, response).data
    const etag = readEtag(response)
    return { link: shortlink, ...(etag !== undefined && { etag }) }
  }

  return {
    get: (name, options = {}) =>
      call('get', options, (signal) => askAboutLink('GET', name, { signal })),

    async update(name, changes, { etag, createdBy, ...options } = {}) {
      const { headers, body } = encodeUpdateRequest(changes)
      const { back_half, domain, destination_url } = changes
      const moves = back_half !== undefined || domain !== undefined
      const more = {
        headers: { ...headers, 'if-match': etag, [CREATED_BY_HEADER]: createdBy },
        body,
        ...((moves || destination_url !== undefined) && { mayConflict: { backHalf: moves } }),
      }
      return updateLink(call, options, (signal) => askAboutLink('PATCH', name, { ...more, signal }))
    },

    async remove(name, { etag, createdBy, ...options } = {}) {
      const path = linkPath(name)
      const headers = { 'if-match': etag, [CREATED_BY_HEADER]: createdBy }
      return removeLink(call, options, (signal) =>
        read(received.done, 'DELETE', path, { headers, signal, isAboutLink: true }),
      )
    },

    async clicks(name, options = {}) {
      const path = `${linkPath(name)}/clicks`
      const { data } = await call('clicks', options, (signal) =>
        read(received.clicks, 'GET', path, { signal, isAboutLink: true }),
      )
      return data.clicks
    },
  } satisfies Partial<LinkService>
}

function linkPath(name: string): string {
  return `${SHORTLINKS_PATH}/${pathSegment(name)}`
}

/**
 * Returns the ETag as a strong one: `W/"3"` → `"3"`. Proxies that compress a response mark its ETag as weak, and
 * `If-Match` never accepts a weak one.
 */
function readEtag(response: HttpResponse): string | undefined {
  return /^(?:W\/)?("[\x21\x23-\x7e]{1,200}")$/.exec(response.header('etag')?.trim() ?? '')?.[1]
}

export function createPeople({ call, read }: Requests<About>) {
  return {
    signIn: (person, request) =>
      call('sign_in', {}, async (signal) => {
        const { headers, body } = encodeForm(request)
        const { data } = await read(signInEnvelope, 'POST', SIGN_INS_PATH, {
          headers: { ...headers, [CREATED_BY_HEADER]: person },
          body,
          signal,
          isAboutPerson: true,
        })
        return data
      }),

    endSessions: (which) =>
      call('end_sessions', {}, async (signal) => {
        const path = withQuery(SESSIONS_PATH, which)
        await read(doneEnvelope, 'DELETE', path, { signal, isAboutPerson: true })
      }),

    erasePerson: (id) =>
      call('erase_person', {}, async (signal) => {
        const path = `${PEOPLE_PATH}/${encodeURIComponent(id)}`
        await read(doneEnvelope, 'DELETE', path, { signal, isAboutPerson: true })
      }),
  } satisfies Partial<LinkService>
}

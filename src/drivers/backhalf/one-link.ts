import { z } from 'zod'
import * as endpoints from '../../contract/endpoints.ts'
import {
  clicksEnvelope,
  doneEnvelope,
  linkEnvelope,
  signInEnvelope,
} from '../../contract/extension-calls.ts'
import { updateRequest } from '../../contract/link-requests.ts'
import { CREATED_BY_HEADER } from '../../contract/person.ts'
import { removeLink, updateLink } from '../../client/calls.ts'
import { readAs } from '../../client/json.ts'
import { pathSegment, type RequestParts, type Requests, withQuery } from '../../client/requests.ts'
import type { LinkService } from '../../port/link-service.ts'
import { encodeForm } from './multipart.ts'
import type { About } from './read-api-error.ts'
import type { HttpResponse } from '../../client/transport.ts'

// Another service might lack these members, so they are not required.
const IGNORED_MEMBERS = { status: true, message: true } as const
const received = {
  link: z.object({ data: linkEnvelope.shape.data.omit(IGNORED_MEMBERS) }),
  done: z.object({ data: doneEnvelope.shape.data.omit(IGNORED_MEMBERS) }),
  clicks: z.object({ data: clicksEnvelope.shape.data.omit(IGNORED_MEMBERS) }),
}

/** The calls about a single link, beyond the specification: reading, changing, deleting, counting its clicks. */
export function singleLinkCalls({ call, send, read }: Requests<About>) {
  async function requestLink(method: 'GET' | 'PATCH', name: string, parts: RequestParts<About>) {
    const response = await send(method, linkPath(name), { ...parts, isAboutLink: true })
    const { shortlink } = readAs(received.link, response).data
    const etag = readEtag(response)
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
        headers: { ...headers, 'if-match': etag, [CREATED_BY_HEADER]: createdBy },
        body,
        ...((moves || destination_url !== undefined) && { mayConflict: { backHalf: moves } }),
      }
      return updateLink(call, options, (signal) => requestLink('PATCH', name, { ...parts, signal }))
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
  return `${endpoints.SHORTLINKS_PATH}/${pathSegment(name)}`
}

/** Returns a strong ETag: `W/"3"` → `"3"`. Proxies that compress weaken it, and `If-Match` needs a strong one. */
function readEtag(response: HttpResponse): string | undefined {
  return /^(?:W\/)?("[\x21\x23-\x7e]{1,200}")$/.exec(response.header('etag')?.trim() ?? '')?.[1]
}

/** The calls about the dashboard's users, beyond the specification. */
export function personCalls({ call, read }: Requests<About>) {
  return {
    signIn: (person, request) =>
      call('sign_in', {}, async (signal) => {
        const { headers, body } = encodeForm(request)
        const { data } = await read(signInEnvelope, 'POST', endpoints.SIGN_INS_PATH, {
          headers: { ...headers, [CREATED_BY_HEADER]: person },
          body,
          signal,
          isAboutPerson: true,
        })
        return data
      }),

    endSessions: (filter) =>
      call('end_sessions', {}, async (signal) => {
        const path = withQuery(endpoints.SESSIONS_PATH, filter)
        await read(doneEnvelope, 'DELETE', path, { signal, isAboutPerson: true })
      }),

    erasePerson: (id) =>
      call('erase_person', {}, async (signal) => {
        const path = `${endpoints.PEOPLE_PATH}/${encodeURIComponent(id)}`
        await read(doneEnvelope, 'DELETE', path, { signal, isAboutPerson: true })
      }),
  } satisfies Partial<LinkService>
}

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
import { REMOVAL, UPDATE } from '../../client/calls.ts'
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

export function singleLinkCalls({ call, send, read, ask }: Requests<About>) {
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
      const change = (signal: AbortSignal) => requestLink('PATCH', name, { ...parts, signal })
      return call('update', options, change, UPDATE)
    },

    async remove(name, { etag, createdBy, ...options } = {}) {
      const path = linkPath(name)
      const headers = { 'if-match': etag, [CREATED_BY_HEADER]: createdBy }
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
function readEtag(response: HttpResponse): string | undefined {
  return /^(?:W\/)?("[\x21\x23-\x7e]{1,200}")$/.exec(response.header('etag')?.trim() ?? '')?.[1]
}

export function personCalls({ ask }: Requests<About>) {
  const about = { isAboutPerson: true }
  return {
    async signIn(person, request) {
      const { headers, body } = encodeForm(request)
      const parts = { headers: { ...headers, [CREATED_BY_HEADER]: person }, body, ...about }
      const path = endpoints.SIGN_INS_PATH
      return (await ask('sign_in', {}, signInEnvelope, 'POST', path, parts)).data
    },

    async endSessions(filter) {
      const path = withQuery(endpoints.SESSIONS_PATH, filter)
      await ask('end_sessions', {}, doneEnvelope, 'DELETE', path, about)
    },

    async erasePerson(id) {
      const path = `${endpoints.PEOPLE_PATH}/${encodeURIComponent(id)}`
      await ask('erase_person', {}, doneEnvelope, 'DELETE', path, about)
    },
  } satisfies Partial<LinkService>
}

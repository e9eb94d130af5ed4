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
  type WholeShortlink,
  signInEnvelope,
} from '../../contract/extension-calls.ts'
import { CREATED_BY_HEADER } from '../../contract/person.ts'
import { removeLink, updateLink, type RunCall } from '../../client/calls.ts'
import { pathSegment, type RequestParts, withQuery } from '../../client/requests.ts'
import type { LinkService } from '../../port/link-service.ts'
import type { ReadLink } from '../../port/links.ts'
import { encodeUpdateRequest, encodeForm } from './multipart.ts'
import type { About } from './read-api-error.ts'
import type { HttpRequest, HttpResponse } from '../../client/transport.ts'

/** Responses are read without these members, because another service might lack them. */
const UNREAD = { status: true, message: true } as const
const received = {
  link: z.object({ data: linkEnvelope.shape.data.omit(UNREAD) }),
  done: z.object({ data: doneEnvelope.shape.data.omit(UNREAD) }),
  clicks: z.object({ data: clicksEnvelope.shape.data.omit(UNREAD) }),
}

export type Ask = <T>(
  method: HttpRequest['method'],
  path: string,
  envelope: z.ZodType<{ data: T }>,
  more: RequestParts<About>,
) => Promise<{ data: T; response: HttpResponse }>

export function createOneLink(ask: Ask, call: RunCall) {
  async function askAboutLink(
    method: 'GET' | 'PATCH',
    name: string,
    more: RequestParts<About>,
  ): Promise<ReadLink<WholeShortlink>> {
    const about = { ...more, isAboutLink: true }
    const { data, response } = await ask(method, linkPath(name), received.link, about)
    const etag = readEtag(response)
    return { link: data.shortlink, ...(etag !== undefined && { etag }) }
  }

  return {
    get: (name, options = {}) =>
      call('get', options, (signal) => askAboutLink('GET', name, { signal })),

    async update(name, changes, { etag, createdBy, ...options } = {}) {
      const { headers, body } = encodeUpdateRequest(changes)
      const { back_half, domain, destination_url } = changes
      const moves = back_half !== undefined || domain !== undefined
      const more = {
        headers: { ...headers, ...ifMatch(etag), ...createdByHeader(createdBy) },
        body,
        ...((moves || destination_url !== undefined) && { mayConflict: { backHalf: moves } }),
      }
      return updateLink(call, options, (signal) => askAboutLink('PATCH', name, { ...more, signal }))
    },

    async remove(name, { etag, createdBy, ...options } = {}) {
      const path = linkPath(name)
      const headers = { ...ifMatch(etag), ...createdByHeader(createdBy) }
      const more = { headers, isAboutLink: true }
      return removeLink(call, options, (signal) =>
        ask('DELETE', path, received.done, { ...more, signal }),
      )
    },

    async clicks(name, options = {}) {
      const path = `${linkPath(name)}/clicks`
      const { data } = await call('clicks', options, (signal) =>
        ask('GET', path, received.clicks, { signal, isAboutLink: true }),
      )
      return data.clicks
    },
  } satisfies Partial<LinkService>
}

function linkPath(name: string): string {
  return `${SHORTLINKS_PATH}/${pathSegment(name)}`
}

function ifMatch(etag: string | undefined): Record<string, string> {
  return etag === undefined ? {} : { 'if-match': etag }
}

export function createdByHeader(createdBy: string | undefined): Record<string, string> {
  return createdBy === undefined ? {} : { [CREATED_BY_HEADER]: createdBy }
}

/** Proxies that compress a response mark its tag as weak, and `If-Match` never accepts a weak one. */
function readEtag(response: HttpResponse): string | undefined {
  return /^(?:W\/)?("[\x21\x23-\x7e]{1,200}")$/.exec(response.header('etag')?.trim() ?? '')?.[1]
}

export function createPeople(ask: Ask, call: RunCall) {
  return {
    signIn: (person, request) =>
      call('sign_in', {}, async (signal) => {
        const { headers, body } = encodeForm(request)
        const more = {
          headers: { ...headers, [CREATED_BY_HEADER]: person },
          body,
          signal,
          isAboutPerson: true,
        }
        return (await ask('POST', SIGN_INS_PATH, signInEnvelope, more)).data
      }),

    endSessions: (which) =>
      call('end_sessions', {}, async (signal): Promise<void> => {
        await ask('DELETE', withQuery(SESSIONS_PATH, which), doneEnvelope, {
          signal,
          isAboutPerson: true,
        })
      }),

    erasePerson: (id) =>
      call('erase_person', {}, async (signal): Promise<void> => {
        const path = `${PEOPLE_PATH}/${encodeURIComponent(id)}`
        await ask('DELETE', path, doneEnvelope, { signal, isAboutPerson: true })
      }),
  } satisfies Partial<LinkService>
}

import { PEOPLE_PATH, SESSIONS_PATH, SIGN_INS_PATH } from '../../contract/endpoints.ts'
import { doneEnvelope, signInEnvelope } from '../../contract/extension-calls.ts'
import { CREATED_BY_HEADER } from '../../contract/person.ts'
import type { RunCall } from '../../client/calls.ts'
import { encodeForm } from './multipart.ts'
import { withQuery } from '../../client/requests.ts'
import type { LinkService } from '../../port/link-service.ts'
import type { Ask } from './one-link.ts'

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

import type { z } from 'zod'
import { PEOPLE_PATH, SESSIONS_PATH, SIGN_INS_PATH } from '../../contract/endpoints.ts'
import {
  type DashboardRole,
  doneEnvelope,
  signInEnvelope,
  type SignInRequest,
} from '../../contract/extension-calls.ts'
import { MADE_BY_HEADER } from '../../contract/person.ts'
import type { MakeCall } from '../../client/calls.ts'
import { encodeForm } from './multipart.ts'
import { type Ask, withQuery } from './one-link.ts'

/** Where a person signs in to the dashboard. The `url` is a secret: who opens it first is signed in as the person. */
export type SignInAddress = Pick<z.output<typeof signInEnvelope>['data'], 'url' | 'expires_at'>

/** Which sessions of a key end: all, unless there are conditions. */
export interface EndedSessions {
  person_id?: string | undefined
  role?: DashboardRole | undefined
}

/** Calls about the people who use links, beyond the specification. All throw LinkServiceError. */
export function createPeople(ask: Ask, make: MakeCall) {
  return {
    /** Asks for a one-time link of the dashboard. @param person the header that names who signs in */
    signIn: (person: string, request: SignInRequest) =>
      make('sign_in', {}, async (signal): Promise<SignInAddress> => {
        const { headers, body } = encodeForm(request)
        const more = { headers: { ...headers, [MADE_BY_HEADER]: person }, body, signal }
        return (await ask('POST', SIGN_INS_PATH, signInEnvelope, more)).data
      }),

    /** Signs people out of the dashboard who signed in through this key. */
    endSessions: (which: EndedSessions) =>
      make('end_sessions', {}, async (signal): Promise<void> => {
        await ask('DELETE', withQuery(SESSIONS_PATH, which), doneEnvelope, { signal })
      }),

    /** Erases who a person is from the links of the key's owner and their history. */
    erasePerson: (id: string) =>
      make('erase_person', {}, async (signal): Promise<void> => {
        const path = `${PEOPLE_PATH}/${encodeURIComponent(id)}`
        await ask('DELETE', path, doneEnvelope, { signal })
      }),
  }
}

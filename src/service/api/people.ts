import { z } from 'zod'
import {
  DASHBOARD_ROLES,
  type doneEnvelope,
  type signInEnvelope,
  signInRequest,
} from '../../contract/extension-calls.ts'
import { readHosts } from '../../contract/allowed-hosts.ts'
import { erasePerson } from '../store/erasure.ts'
import { isUnlimited, toListColumn } from '../store/scopes.ts'
import { createMemberLink, endMemberSessions } from '../store/sessions.ts'
import { type Handler, readCreator } from './handler.ts'
import { fieldError, invalidFields, parseQuery, ServiceError } from './errors.ts'
import { readForm } from './form.ts'
import { successEnvelope } from './shortlink.ts'

export const createSignIn: Handler = async ({ addresses, write, now }, request, reply) => {
  if (!addresses.isConfidential) {
    throw new ServiceError(
      'PERMISSION_DENIED',
      `The address of this link service, ${addresses.origin}, is not https. Its administrator has to set up https before people can sign in with a one-time link.`,
    )
  }
  const form = await readForm(request, signInRequest)
  const { person_id, person_name } = readCreator(request)
  if (person_id === null) {
    throw fieldError('X-Created-By', 'Send this header. It names the person who signs in.')
  }
  if (!form.errors.isEmpty()) throw invalidFields(form.errors)
  const { role, workspace, allowed_hosts: hostList = '' } = parseQuery(signInRequest, form.values)
  const { hosts, invalid } = readHosts(hostList.replaceAll(',', '\n'))
  // An empty list would allow all hosts, so a list without hostnames, such as “,”, is a mistake.
  if (invalid.length > 0 || (hostList !== '' && hosts.length === 0)) {
    throw fieldError('allowed_hosts', 'Use hostnames such as example.com, separated by commas.')
  }
  if (role === 'admin' && !isUnlimited(request.caller)) {
    throw new ServiceError(
      'PERMISSION_DENIED',
      'Admins see all API keys and sessions of the workspace, so only an API key that allows everything on all domains can sign them in. Use the role editor or creator, or another key.',
    )
  }
  const { apiKeyId: api_key_id, ownerId } = request.caller
  const person = { person_id, person_name: person_name ?? '', role, workspace }
  const member = { api_key_id, ...person, allowed_hosts: toListColumn(hosts) }
  const { token, expiresAt } = await write(createMemberLink(member, now()), ownerId)
  reply.code(201)
  return successEnvelope('Show this one-time link only to the person who signs in.', {
    url: `${addresses.origin}/dashboard/sign-in/${token}`,
    expires_at: new Date(expiresAt).toISOString(),
  }) satisfies z.infer<typeof signInEnvelope>
}

const personId = z
  .string()
  .min(1, 'Send the ID of a person.')
  .max(200, 'An ID has at most 200 characters.')
  .regex(/^\P{Cc}*$/u, 'An ID has no control characters.')

export const sessionsQuery = z.strictObject({
  person_id: personId
    .describe(
      'The ID of the person whose sessions end, as in X-Created-By. If it is omitted, all sessions that this API key started end.',
    )
    .optional(),
  role: z
    .enum(DASHBOARD_ROLES)
    .describe('The role whose sessions end. If it is omitted, sessions with any role end.')
    .optional(),
})

export const endSessions: Handler = async ({ db, now }, { caller, query }) => {
  const { person_id: personId, role } = parseQuery(sessionsQuery, query)
  await endMemberSessions(db, { apiKeyId: caller.apiKeyId, personId, role }, now())
  return successEnvelope('The sessions have ended.', {}) satisfies z.infer<typeof doneEnvelope>
}

export const personPath = z.strictObject({
  id: personId.describe('The ID of the person, as in X-Created-By.'),
})

export const removePerson: Handler = async (context, { caller, params }) => {
  if (!isUnlimited(caller)) {
    throw new ServiceError(
      'PERMISSION_DENIED',
      'Erasing a person changes all links of the workspace, so it needs an API key that allows everything on all domains.',
    )
  }
  const { id } = parseQuery(personPath, params)
  await erasePerson(context, caller.ownerId, id)
  return successEnvelope('The person was erased.', {}) satisfies z.infer<typeof doneEnvelope>
}

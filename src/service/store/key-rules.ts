import { countCharacters } from '../../contract/link-fields.ts'
import type { Db } from '../../database/schema.ts'
import type { NewApiKey } from './api-keys.ts'
import { findReachableDomain } from './domains.ts'
import type { Owner } from './owners.ts'
import { ERASE_SCOPE, EXTRA_SCOPES, SCOPES } from './scopes.ts'

const PERMISSIONS = ['all', 'read_only', 'restricted'] as const

export const MAX_LINE_LENGTH = 200

export const ONE_LINE = `Use one line of at most ${MAX_LINE_LENGTH} characters.`

const ONLY_RESTRICTED = `Only restricted keys can have domain records and scopes other than ${EXTRA_SCOPES.join(' and ')}.`

export interface KeyInput {
  name: string
  description: string | undefined
  permissions: string
  scopes: readonly string[]
  domainIds: readonly string[]
}

type KeyErrors = Partial<Record<keyof KeyInput, string>>

export async function validateKey(
  db: Db,
  owner: Pick<Owner, 'id' | 'name'>,
  input: KeyInput,
): Promise<{ key: NewApiKey } | { errors: KeyErrors }> {
  const { name, description, scopes, domainIds } = input
  const permissions = PERMISSIONS.find((level) => level === input.permissions)
  const errors: KeyErrors = {}
  if (!name) errors.name = 'Enter a name, so that you recognize the key later.'
  else if (!isOneLine(name)) errors.name = ONE_LINE
  if (description !== undefined && !isOneLine(description)) errors.description = ONE_LINE
  if (!permissions) errors.permissions = 'Permissions must be all, read-only or restricted.'
  const unknownScope = scopes.find((scope) => !isOneOf(SCOPES, scope))
  if (unknownScope !== undefined) errors.scopes = `There is no scope “${unknownScope}”.`
  else if (permissions === 'restricted' && scopes.length === 0) {
    errors.scopes = `A restricted key needs at least one scope: ${SCOPES.join(', ')}.`
  } else if (permissions !== 'restricted') {
    const isRestricted =
      domainIds.length > 0 || !scopes.every((scope) => isOneOf(EXTRA_SCOPES, scope))
    if (isRestricted) errors.scopes = ONLY_RESTRICTED
  }
  if (permissions !== 'all' && scopes.includes(ERASE_SCOPE)) {
    errors.scopes ??= `Only keys with all permissions can have ${ERASE_SCOPE}. It affects all links of the workspace.`
  }
  for (const id of domainIds) {
    if (!(await findReachableDomain(db, id, owner.id))) {
      errors.domainIds = `${owner.name} has no domain record “${id}”.`
    }
  }
  if (!permissions || Object.keys(errors).length > 0) return { errors }
  const limits = { permissions, scopes, domainIds: domainIds.length > 0 ? domainIds : undefined }
  return { key: { ownerId: owner.id, name, description, ...limits } }
}

const isOneOf = (scopes: readonly string[], scope: string): boolean => scopes.includes(scope)

export function isOneLine(text: string): boolean {
  return countCharacters(text) <= MAX_LINE_LENGTH && !/\p{Cc}/u.test(text)
}

import type { Kysely } from 'kysely'
import type { Schema } from '../database/schema.ts'
import { SCOPES } from './caller.ts'
import { isOneLine, ONE_LINE_LENGTH } from './one-line.ts'
import type { ApiKeyChoice } from './store/api-keys.ts'
import { findReachableDomain } from './store/domains.ts'
import type { Owner } from './store/owners.ts'

const PERMISSIONS = ['all', 'read_only', 'restricted'] as const

const ONE_LINE = `Use one line of at most ${ONE_LINE_LENGTH} characters.`

/** A key as somebody wishes for it. */
export interface KeyWish {
  name: string
  description: string | undefined
  permissions: string
  scopes: readonly string[]
  domainIds: readonly string[]
}

/** What is wrong with it, by what was asked for. */
export type KeyFaults = Partial<Record<keyof KeyWish, string>>

/** Checks what is chosen for a new key (spec §2.3). */
export async function checkKey(
  db: Kysely<Schema>,
  owner: Owner,
  wish: KeyWish,
): Promise<{ choice: ApiKeyChoice } | { faults: KeyFaults }> {
  const { name, description, scopes, domainIds } = wish
  const permissions = PERMISSIONS.find((one) => one === wish.permissions)
  const faults: KeyFaults = {}
  if (!name) faults.name = 'Give it a name, so that you know it again.'
  else if (!isOneLine(name)) faults.name = ONE_LINE
  if (description !== undefined && !isOneLine(description)) faults.description = ONE_LINE
  if (!permissions) faults.permissions = 'Permissions are all, read-only or restricted.'
  else if (permissions === 'restricted') {
    const unknown = scopes.find((scope) => !SCOPES.some((known) => known === scope))
    if (unknown !== undefined) faults.scopes = `There is no scope “${unknown}”.`
    else if (scopes.length === 0) {
      faults.scopes = `A restricted key needs at least one scope: ${SCOPES.join(' or ')}.`
    }
  } else if (scopes.length + domainIds.length > 0) {
    faults.scopes = 'Scopes and domain records are for restricted keys only.'
  }
  for (const id of domainIds) {
    if (!(await findReachableDomain(db, id, owner.id))) {
      faults.domainIds = `${owner.name} has no domain record “${id}”.`
    }
  }
  if (!permissions || Object.keys(faults).length > 0) return { faults }
  const limit = domainIds.length > 0 ? domainIds : undefined
  return { choice: { ownerId: owner.id, name, description, permissions, scopes, domainIds: limit } }
}

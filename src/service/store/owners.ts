import { v7 as uuid } from 'uuid'
import type { Kysely, Selectable } from 'kysely'
import type { OwnersTable, Schema } from '../../database/schema.ts'

/** An organization or an account, which owns links, keys and domain records. */
export type Owner = Selectable<OwnersTable>
export type OwnerKind = Owner['kind']

/**
 * Adds an organization or an account. If there is an owner with the same `externalId`, returns that
 * one, even if two processes add it at the same time.
 */
export async function addOwner(
  db: Kysely<Schema>,
  owner: { kind: OwnerKind; name: string; externalId?: string; now: number },
): Promise<Owner> {
  const row: Owner = {
    id: uuid(),
    kind: owner.kind,
    name: owner.name,
    external_id: owner.externalId ?? null,
    created_at: owner.now,
    max_links: null,
  }
  const added = await db
    .insertInto('owners')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  return (
    added ??
    (await db
      .selectFrom('owners')
      .selectAll()
      .where('external_id', '=', row.external_id)
      .executeTakeFirstOrThrow())
  )
}

/** Sets how many links an owner may have; null: no limit. */
export async function setMaxLinks(
  db: Kysely<Schema>,
  ownerId: string,
  maxLinks: number | null,
): Promise<void> {
  await db.updateTable('owners').set({ max_links: maxLinks }).where('id', '=', ownerId).execute()
}

export async function findOwnerById(db: Kysely<Schema>, id: string): Promise<Owner | undefined> {
  return db.selectFrom('owners').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns all owners of a kind, oldest first. */
export async function listOwners(db: Kysely<Schema>, kind: OwnerKind): Promise<Owner[]> {
  return db.selectFrom('owners').selectAll().where('kind', '=', kind).orderBy('id').execute()
}

/** Returns all owners, organizations first. */
export async function listAllOwners(db: Kysely<Schema>): Promise<Owner[]> {
  return db.selectFrom('owners').selectAll().orderBy('kind', 'desc').orderBy('id').execute()
}

import type { Person } from '../../contract/person.ts'
import type { LinksTable } from '../../database/schema.ts'

/** Who creates, changes or deletes a link. */
export interface Maker {
  /** The ID of an API key, or DASHBOARD. */
  madeBy: string
  /** The person for whom the key's holder acts, as the holder says. */
  person?: Person | undefined
}

/** Stands for the administrator, in place of an API key. */
export const DASHBOARD = 'dashboard'

type MakerColumns = Pick<LinksTable, 'made_by' | 'person_id' | 'person_name'>

/** The columns of a row without a maker. */
export const NOBODY: MakerColumns = { made_by: null, person_id: null, person_name: null }

export function makerColumns({ madeBy, person }: Maker): MakerColumns & { made_by: string } {
  return { made_by: madeBy, person_id: person?.id ?? null, person_name: person?.name ?? null }
}

export function makerOf<Key extends string | null>(
  row: Omit<MakerColumns, 'made_by'> & { made_by: Key },
): { madeBy: Key; person: Person | undefined } {
  const { made_by: madeBy, person_id: id, person_name: name } = row
  return { madeBy, person: id === null ? undefined : { id, name: name ?? '' } }
}

import {
  eachField,
  LINK_FIELD_NAMES,
  specOf,
  UTM_PARAMETERS,
  type UtmParameter,
} from '../../contract/link-fields.ts'
import type { LINES_BLOCKS } from '../ids.ts'

/** The label of each field, in forms and in error messages. */
export const FIELD_LABELS = {
  ...eachField(LINK_FIELD_NAMES, (name) => specOf(name).label),
  api_key: 'API key',
  domains: 'Domains',
  default_domain: 'Default domain',
  template: 'UTM template',
  template_name: 'Name',
  lower_case: 'Case',
  spaces: 'Spaces',
  allowed_sources: 'Allowed sources',
  allowed_mediums: 'Allowed mediums',
  may_shorten: 'Who can shorten links',
  may_change: 'Who can change a link',
  person: 'Member ID',
  erase_confirmed: 'Confirm',
  search_text: 'Search for',
} as const

/** Short names of the UTM parameters, without "UTM", for lists of their values. */
export const UTM_NAMES: Readonly<Record<UtmParameter, string>> = eachField(UTM_PARAMETERS, (name) =>
  specOf(name).label.replace('UTM ', ''),
)

/** Fields that take one item per line. A long list continues in a second input. */
export type LinesField = (typeof LINES_BLOCKS)[keyof typeof LINES_BLOCKS]

/** A field of a form. `domains_2` is the second input of `domains`. */
export type Field = keyof typeof FIELD_LABELS | `${LinesField}_${number}`

export function fieldLabel(field: Field): string {
  const [, name = field, number] = /^(.*?)(?:_(\d+))?$/.exec(field) ?? []
  const label = FIELD_LABELS[name as keyof typeof FIELD_LABELS]
  return number ? `${label} (${number})` : label
}

/**
 * The block_id of a field's input. As long as a block_id stays, Slack keeps what the user typed, even
 * over an initial value. An input that the app fills in therefore needs a new block_id.
 *
 * @param fillCount how many times the app has filled in the form
 */
export function blockIdOf(field: string, fillCount: number): string {
  return fillCount === 0 ? field : `${field}~${fillCount}`
}

/** The field of a block_id, however many times the app has filled in the form. */
export function fieldOf(blockId: string): string {
  return blockId.replace(/~\d+$/, '')
}

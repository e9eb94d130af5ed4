import { eachField } from '../../contract/field-spec.ts'
import {
  LINK_FIELD_NAMES,
  FIELD_SPECS,
  UTM_PARAMETERS,
  type UtmParameter,
} from '../../contract/link-fields.ts'

/** The labels of the inputs in all forms. An input's name is also its block_id, by which Slack shows errors there. */
export const FIELD_LABELS = {
  ...eachField(LINK_FIELD_NAMES, (name) => FIELD_SPECS[name].label),
  conversation: 'Show the result in',
  remove_image: 'Current image',
  allows_duplicate: 'Existing link',
  api_key: 'API key',
  domains: 'Domains',
  default_domain: 'Default domain',
  template: 'UTM template',
  template_name: 'Name',
  lower_case: 'Case',
  spaces: 'Spaces',
  allowed_sources: 'Allowed sources',
  allowed_mediums: 'Allowed mediums',
  allowed_hosts: 'Allowed destinations',
  tried_url: 'Try a URL',
  other_destinations: 'Links to other destinations',
  approvers: 'Approvers’ channel',
  own_requests: 'Own requests',
  csv_file: 'CSV file',
  decline_reason: 'Reason',
  may_shorten: 'Who can shorten links',
  may_change: 'Who can change a link',
  report_channel: 'Channel',
  report_day: 'Day',
  report_hour: 'Hour',
  person: 'Member ID',
  erase_confirmed: 'Confirm',
  search_text: 'Search for',
  search_tags: 'Tags',
  share_in: 'Share in',
  alert_about: 'Which links',
  alert_name: 'Name',
  alert_condition: 'When',
  alert_number: 'Number',
  alert_channel: 'Post in',
} as const

export type Field = keyof typeof FIELD_LABELS

export function isField(name: unknown): name is Field {
  return typeof name === 'string' && Object.hasOwn(FIELD_LABELS, name)
}

export const UTM_NAMES: Readonly<Record<UtmParameter, string>> = eachField(UTM_PARAMETERS, (name) =>
  FIELD_SPECS[name].label.replace('UTM ', ''),
)

/** `tags`, or `tags~1` once the app has filled in the form: Slack keeps what was typed for the same block_id. */
export function fieldBlockId(field: string, fillCount: number): string {
  return fillCount === 0 ? field : `${field}~${fillCount}`
}

export function parseFieldBlockId(blockId: string): string {
  return blockId.replace(/~\d+$/, '')
}

import type { Checkboxes, InputBlock, StaticSelect } from '@slack/types'
import type { DomainRecord } from '../../workspaces/connection.ts'
import type { Draft } from '../input/draft.ts'
import { input, option } from '../block-kit/elements.ts'
import { FIELD_LABELS } from './field-labels.ts'
import { LIMITS } from './limits.ts'

/** Inputs that every form in which links are made has. */

/** What a menu takes as it is, and Slack sends back as it was. */
const PLAIN_ID = new RegExp(`^[\\w.:-]{1,${LIMITS.optionValue}}$`)

/**
 * What stands for a domain record in a menu: its id, or, where Slack doesn't take that, its place
 * among the workspace's records with as much of the id as fits, so that after a change of the
 * records it is none of them rather than another one.
 */
export function domainValue({ name }: DomainRecord, index: number): string {
  if (PLAIN_ID.test(name)) return name
  return `#${index} ${name.replace(/[^\w.:-]/g, '').slice(0, 60)}`
}

/** @param wanted a record's id, its hostname or its value in a menu; -1 where there is none such */
export function indexOfDomain(
  wanted: string | undefined,
  domains: readonly DomainRecord[],
): number {
  return domains.findIndex(
    (record, index) =>
      record.name === wanted ||
      domainValue(record, index) === wanted ||
      record.domain_name.toLowerCase() === wanted?.toLowerCase(),
  )
}

/** @param domains the workspace's domain records, the default first */
export function domainInput(
  chosen: string | undefined,
  domains: readonly DomainRecord[],
): InputBlock {
  const options = domains
    .slice(0, LIMITS.selectOptions)
    .map((record, index) => option(record.domain_name, domainValue(record, index)))
  const initial = options[indexOfDomain(chosen, domains)] ?? options[0]
  return input<StaticSelect>(
    'domain',
    FIELD_LABELS.domain,
    { type: 'static_select', options, ...(initial && { initial_option: initial }) },
    { optional: false },
  )
}

/** @param label for its only choice */
export function qrInput(
  { qr_code_enabled: on }: Pick<Draft, 'qr_code_enabled'>,
  label = 'Make a QR code',
): InputBlock {
  const options = [option(label, 'on')]
  return input<Checkboxes>('qr_code_enabled', FIELD_LABELS.qr_code_enabled, {
    type: 'checkboxes',
    options,
    ...(on && { initial_options: options }),
  })
}

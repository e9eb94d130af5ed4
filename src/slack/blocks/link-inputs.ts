import type { Checkboxes, InputBlock, StaticSelect } from '@slack/types'
import type { DomainRecord } from '../../workspaces/connection.ts'
import type { Draft } from '../input/draft.ts'
import { input, option } from './elements.ts'
import { FIELD_LABELS } from './field-labels.ts'
import { LIMITS } from './limits.ts'

/** Inputs that every form in which links are made has. */

/** @param domains the workspace's domain records, the default first */
export function domainInput(
  chosen: string | undefined,
  domains: readonly DomainRecord[],
): InputBlock {
  const options = domains
    .slice(0, LIMITS.selectOptions)
    .map(({ name, domain_name }) => option(domain_name, name))
  const initial = options.find(({ value }) => value === chosen) ?? options[0]
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

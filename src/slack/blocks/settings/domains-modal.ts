import type { ModalView, StaticSelect } from '@slack/types'
import type { DomainRecord } from '../../../workspaces/connection.ts'
import { LINES_BLOCKS, SETTINGS_BLOCKS, VIEWS } from '../../ids.ts'
import { input, option } from '../../block-kit/elements.ts'
import { FIELD_LABELS } from '../field-labels.ts'
import { LIMITS } from '../limits.ts'
import { linesInputs } from '../lines-inputs.ts'
import { formModal, type FormFrame } from './form-modal.ts'

export interface DomainsForm extends FormFrame {
  /** The records that are kept now, the default first: those that can be chosen. */
  domains: readonly DomainRecord[]
  /** Tells whether they are still the same when the form is saved. */
  version: string
  /** What stands in each input. */
  texts: readonly string[]
  /** The id of the record that is chosen as the default. */
  chosen?: string | undefined
}

/** Which domain records new links may be made on, and which is the default. */
export function domainsModal({ domains, version, texts, chosen, notice }: DomainsForm): ModalView {
  const options = domains
    .slice(0, LIMITS.selectOptions)
    .map(({ name, domain_name }) => option(domain_name, name))
  const initial = options.find(({ value }) => value === chosen) ?? options[0]
  const choice = input<StaticSelect>(
    SETTINGS_BLOCKS.defaultDomain,
    FIELD_LABELS.default_domain,
    { type: 'static_select', options, ...(initial && { initial_option: initial }) },
    {
      optional: false,
      hint: 'If you take its line away below, the first line is the default. A domain that you add can be chosen here once it is saved.',
    },
  )
  return formModal({
    callbackId: VIEWS.settingsDomains,
    metadata: version,
    title: FIELD_LABELS.domains,
    notice,
    blocks: [
      ...(options.length > 1 ? [choice] : []),
      ...linesInputs(LINES_BLOCKS.domains, texts, {
        required: true,
        placeholder: 'dom_123 go.example.com',
        hint: 'One a line: the domain record’s name (its ID), a space, its hostname. Taking a line away changes no link that was made.',
      }),
    ],
  })
}

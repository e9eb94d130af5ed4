import type { Checkboxes, ModalView, RadioButtons } from '@slack/types'
import { LINES_BLOCKS, SETTINGS_BLOCKS, VIEWS } from '../../ids.ts'
import { context, input, option } from '../../block-kit/elements.ts'
import { FIELD_LABELS } from '../field-labels.ts'
import { linesInputs } from '../lines-inputs.ts'
import { formModal, type FormFrame } from './form-modal.ts'

/** What may stand for a space: the option's value. */
export const SPACES = { '-': 'hyphen', _: 'underscore', asTyped: 'as_typed' } as const

/** As it was typed. */
export interface NamingForm extends FormFrame {
  lowerCase: boolean
  spaces: '-' | '_' | null
  /** What stands in each input. */
  sources: readonly string[]
  mediums: readonly string[]
}

const SPACES_OPTIONS = [
  option('A hyphen: spring-sale', SPACES['-']),
  option('An underscore: spring_sale', SPACES._),
  option('Leave spaces as they are typed', SPACES.asTyped),
]

/** How UTM values are written in this workspace. */
export function namingModal(form: NamingForm): ModalView {
  const lower = [option('Write everything in lower case', 'on')]
  const spaces = SPACES_OPTIONS.find(({ value }) => value === SPACES[form.spaces ?? 'asTyped'])
  return formModal({
    callbackId: VIEWS.settingsNaming,
    title: 'Naming rules',
    notice: form.notice,
    blocks: [
      context('So that reports count “Spring Sale”, “spring sale” and “spring-sale” as one.'),
      input<Checkboxes>(SETTINGS_BLOCKS.lowerCase, FIELD_LABELS.lower_case, {
        type: 'checkboxes',
        options: lower,
        ...(form.lowerCase && { initial_options: lower }),
      }),
      input<RadioButtons>(
        SETTINGS_BLOCKS.spaces,
        FIELD_LABELS.spaces,
        {
          type: 'radio_buttons',
          options: SPACES_OPTIONS,
          ...(spaces && { initial_option: spaces }),
        },
        { optional: false },
      ),
      ...linesInputs(LINES_BLOCKS.sources, form.sources, {
        required: false,
        placeholder: 'newsletter',
        hint: 'One a line, at most 100: the only values for UTM source. Empty: any value.',
      }),
      ...linesInputs(LINES_BLOCKS.mediums, form.mediums, {
        required: false,
        placeholder: 'email',
        hint: 'One a line, at most 100: the only values for UTM medium. Empty: any value.',
      }),
    ],
  })
}

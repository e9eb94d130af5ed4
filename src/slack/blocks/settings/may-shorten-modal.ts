import type { ModalView, RadioButtons } from '@slack/types'
import type { Settings } from '../../../workspaces/settings.ts'
import { SETTINGS_BLOCKS, VIEWS } from '../../ids.ts'
import { input, option } from '../../block-kit/elements.ts'
import { FIELD_LABELS } from '../field-labels.ts'
import { formModal, type FormFrame } from './form-modal.ts'

export interface MayShortenForm extends FormFrame {
  mayShorten: Settings['mayShorten']
}

const OPTIONS: Record<Settings['mayShorten'], ReturnType<typeof option>> = {
  everyone: option('Everyone, guests as well', 'everyone'),
  not_guests: option('Everyone except guests', 'not_guests'),
}

/** Who may make links. */
export function mayShortenModal({ mayShorten, notice }: MayShortenForm): ModalView {
  return formModal({
    callbackId: VIEWS.settingsMayShorten,
    title: 'Who may shorten',
    notice,
    blocks: [
      input<RadioButtons>(
        SETTINGS_BLOCKS.mayShorten,
        FIELD_LABELS.may_shorten,
        {
          type: 'radio_buttons',
          options: Object.values(OPTIONS),
          initial_option: OPTIONS[mayShorten],
        },
        { optional: false },
      ),
    ],
  })
}

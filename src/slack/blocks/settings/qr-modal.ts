import type { Checkboxes, ModalView, PlainTextInput } from '@slack/types'
import { VIEWS } from '../../ids.ts'
import { input, option, plain } from '../../block-kit/elements.ts'
import { FIELD_LABELS } from '../field-labels.ts'
import { formModal, type FormFrame } from './form-modal.ts'

/** As it was typed. */
export interface QrForm extends FormFrame {
  enabled: boolean
  color: string
}

/** Whether links get a QR code unless somebody says otherwise, and in which colour. */
export function qrModal({ enabled, color, notice }: QrForm): ModalView {
  const options = [option('Make a QR code for every link', 'on')]
  return formModal({
    callbackId: VIEWS.settingsQr,
    title: 'QR codes',
    notice,
    blocks: [
      input<Checkboxes>(
        'qr_code_enabled',
        FIELD_LABELS.qr_code_enabled,
        { type: 'checkboxes', options, ...(enabled && { initial_options: options }) },
        { hint: 'Whoever makes a link may decide otherwise.' },
      ),
      input<PlainTextInput>(
        'qr_code_color',
        FIELD_LABELS.qr_code_color,
        {
          type: 'plain_text_input',
          max_length: 100,
          ...(color && { initial_value: color }),
          placeholder: plain('#000000', 150),
        },
        { hint: 'A dark colour of the form #RRGGBB. Black, if you leave it empty.' },
      ),
    ],
  })
}

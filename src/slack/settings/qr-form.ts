import type { Checkboxes, ModalView, PlainTextInput } from '@slack/types'
import type { Settings, SettingsStore } from '../../workspaces/settings.ts'
import { input, option, plain } from '../block-kit/elements.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { VIEWS } from '../ids.ts'
import { colorError, SlackInputError } from '../platform/field-errors.ts'
import { isChecked, textOf, type FormValues } from '../platform/form-values.ts'
import { formModal, type SettingsForm, type WithNotice } from './settings-form.ts'

/** What the admin typed. */
interface TypedQr {
  enabled: boolean
  color: string
}

/** Whether links get a QR code by default, and in which color. */
export function createQrForm(settings: SettingsStore): SettingsForm {
  return {
    async build({ workspace }) {
      const { qr } = await settings.read(workspace.id)
      return qrModal({ enabled: qr.enabled, color: qr.color ?? '' })
    },
    async save({ workspace }, values, userId) {
      const qr = checkQr(readQr(values))
      await settings.update(workspace.id, userId, (current) => ({ ...current, qr }))
      return undefined
    },
    rebuild: async (_subject, values, notice) => qrModal({ ...readQr(values), notice }),
  }
}

function qrModal({ enabled, color, notice }: TypedQr & WithNotice): ModalView {
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
        { hint: 'Users can still decide for each link.' },
      ),
      input<PlainTextInput>(
        'qr_code_color',
        FIELD_LABELS.qr_code_color,
        {
          type: 'plain_text_input',
          max_length: 100,
          ...(color && { initial_value: color }),
          placeholder: plain('#000000', LIMITS.placeholder),
        },
        { hint: 'A dark color, written as #RRGGBB. Black if left empty.' },
      ),
    ],
  })
}

function readQr(values: FormValues): TypedQr {
  return {
    enabled: isChecked(values, 'qr_code_enabled'),
    color: textOf(values, 'qr_code_color'),
  }
}

/** @throws SlackInputError at the color */
function checkQr({ enabled, color }: TypedQr): Settings['qr'] {
  if (color === '') return { enabled }
  const message = colorError(color)
  if (message) throw new SlackInputError([{ field: 'qr_code_color', message }])
  return { enabled, color }
}

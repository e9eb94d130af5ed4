import type { ModalView } from '@slack/types'
import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import type { Settings, SettingsStore } from '../../workspaces/settings.ts'
import { checkbox, formModal, textInput, type WithNotice } from '../block-kit/inputs.ts'
import { VIEWS } from '../ids.ts'
import { colorError, SlackInputError } from '../platform/field-errors.ts'
import { isChecked, textOf, type FormValues } from '../platform/form-values.ts'
import type { SettingsForm } from './settings-form.ts'

interface TypedQr {
  enabled: boolean
  color: string
}

/** The form that decides whether links get a QR code by default, and in which color. */
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
  return formModal({
    callbackId: VIEWS.settingsQr,
    title: 'QR codes',
    close: 'Back',
    notice,
    blocks: [
      checkbox('qr_code_enabled', 'Make a QR code for every link', enabled, {
        hint: 'Users can still decide for each link.',
      }),
      textInput('qr_code_color', color, {
        max_length: 100,
        placeholder: DEFAULT_COLOR,
        hint: 'A dark color, written as #RRGGBB. Black if left empty.',
      }),
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

import type { Settings } from '../../../workspaces/settings.ts'
import type { QrForm } from '../../blocks/settings/qr-modal.ts'
import { isChecked, textOf, type FormValues } from '../form-values.ts'
import { colorFault } from '../qr-color.ts'
import { SlackInputError } from '../slack-input-error.ts'

/** What the form about QR codes holds. */
export function readQrForm(values: FormValues): QrForm {
  return {
    enabled: isChecked(values, 'qr_code_enabled'),
    color: textOf(values, 'qr_code_color'),
  }
}

/** @throws SlackInputError at the colour */
export function checkQr({ enabled, color }: QrForm): Settings['qr'] {
  if (color === '') return { enabled }
  const message = colorFault(color)
  if (message) throw new SlackInputError([{ field: 'qr_code_color', message }])
  return { enabled, color }
}

import type { SettingsStore } from '../../workspaces/settings.ts'
import { mayShortenModal } from '../blocks/settings/may-shorten-modal.ts'
import { qrModal } from '../blocks/settings/qr-modal.ts'
import { readMayShorten } from '../input/settings/may-shorten.ts'
import { checkQr, readQrForm } from '../input/settings/qr.ts'
import type { SettingsForm } from './settings-form.ts'

/** Whether links get a QR code, and in which colour. */
export function createQrForm(settings: SettingsStore): SettingsForm {
  return {
    async draw({ workspace }) {
      const { qr } = await settings.read(workspace.id)
      return qrModal({ enabled: qr.enabled, color: qr.color ?? '' })
    },
    async save({ workspace }, values, userId) {
      const qr = checkQr(readQrForm(values))
      await settings.update(workspace.id, userId, (now) => ({ ...now, qr }))
      return undefined
    },
    redraw: async (_subject, values, notice) => qrModal({ ...readQrForm(values), notice }),
  }
}

/** Who may make links. */
export function createMayShortenForm(settings: SettingsStore): SettingsForm {
  return {
    async draw({ workspace }) {
      const { mayShorten } = await settings.read(workspace.id)
      return mayShortenModal({ mayShorten })
    },
    async save({ workspace }, values, userId) {
      const mayShorten = readMayShorten(values)
      await settings.update(workspace.id, userId, (now) => ({ ...now, mayShorten }))
      return undefined
    },
    redraw: async (_subject, values, notice) =>
      mayShortenModal({ mayShorten: readMayShorten(values), notice }),
  }
}

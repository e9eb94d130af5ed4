import type { ModalView, RadioButtons } from '@slack/types'
import type { Settings, SettingsStore } from '../../workspaces/settings.ts'
import { input, option } from '../block-kit/elements.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'
import { SETTINGS_BLOCKS, VIEWS } from '../ids.ts'
import { selectedOption, type FormValues } from '../platform/form-values.ts'
import { formModal, type SettingsForm, type WithNotice } from './settings-form.ts'

type MayShorten = Settings['mayShorten']

/** Who can shorten links. */
export function createPermissionForm(settings: SettingsStore): SettingsForm {
  return {
    async build({ workspace }) {
      const { mayShorten } = await settings.read(workspace.id)
      return permissionModal({ mayShorten })
    },
    async save({ workspace }, values, userId) {
      const mayShorten = readMayShorten(values)
      await settings.update(workspace.id, userId, (current) => ({ ...current, mayShorten }))
      return undefined
    },
    rebuild: async (_subject, values, notice) =>
      permissionModal({ mayShorten: readMayShorten(values), notice }),
  }
}

const OPTIONS: Record<MayShorten, ReturnType<typeof option>> = {
  everyone: option('Everyone, including guests', 'everyone'),
  not_guests: option('Everyone except guests', 'not_guests'),
}

function permissionModal({
  mayShorten,
  notice,
}: { mayShorten: MayShorten } & WithNotice): ModalView {
  return formModal({
    callbackId: VIEWS.settingsMayShorten,
    title: 'Who can shorten',
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
        {
          optional: false,
          hint: 'Guests who can’t shorten links don’t see the list of links either.',
        },
      ),
    ],
  })
}

function readMayShorten(values: FormValues): MayShorten {
  return selectedOption(values, SETTINGS_BLOCKS.mayShorten) === 'not_guests'
    ? 'not_guests'
    : 'everyone'
}

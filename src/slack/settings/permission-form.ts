import type { ModalView, RadioButtons } from '@slack/types'
import { DEFAULT_SETTINGS, type Settings, type SettingsStore } from '../../workspaces/settings.ts'
import { input, option } from '../block-kit/elements.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'
import { SETTINGS_BLOCKS, VIEWS } from '../ids.ts'
import { selectedOption, type FormValues } from '../platform/form-values.ts'
import { formModal, type SettingsForm, type WithNotice } from './settings-form.ts'

type Permissions = Pick<Settings, 'mayShorten' | 'mayChange'>

/** Who can shorten links, and who can change them. */
export function createPermissionForm(settings: SettingsStore): SettingsForm {
  return {
    async build({ workspace }) {
      const { mayShorten, mayChange } = await settings.read(workspace.id)
      return permissionModal({ mayShorten, mayChange })
    },
    async save({ workspace }, values, userId) {
      const permissions = readPermissions(values)
      await settings.update(workspace.id, userId, (current) => ({ ...current, ...permissions }))
      return undefined
    },
    rebuild: async (_subject, values, notice) =>
      permissionModal({ ...DEFAULT_SETTINGS, ...readPermissions(values), notice }),
  }
}

type Choices<T extends string> = Record<T, ReturnType<typeof option>>

const MAY_SHORTEN: Choices<Permissions['mayShorten']> = {
  everyone: option('Everyone, including guests', 'everyone'),
  not_guests: option('Everyone except guests', 'not_guests'),
}

const MAY_CHANGE: Choices<Permissions['mayChange']> = {
  maker_and_admins: option('The person who made it, and admins', 'maker_and_admins'),
  everyone: option('Everyone who can shorten links', 'everyone'),
}

function permissionModal({ mayShorten, mayChange, notice }: Permissions & WithNotice): ModalView {
  return formModal({
    callbackId: VIEWS.settingsMayShorten,
    title: 'Permissions',
    notice,
    blocks: [
      input<RadioButtons>(
        SETTINGS_BLOCKS.mayShorten,
        FIELD_LABELS.may_shorten,
        {
          type: 'radio_buttons',
          options: Object.values(MAY_SHORTEN),
          initial_option: MAY_SHORTEN[mayShorten],
        },
        {
          optional: false,
          hint: 'Guests who can’t shorten links don’t see the list of links either.',
        },
      ),
      input<RadioButtons>(
        SETTINGS_BLOCKS.mayChange,
        FIELD_LABELS.may_change,
        {
          type: 'radio_buttons',
          options: Object.values(MAY_CHANGE),
          initial_option: MAY_CHANGE[mayChange],
        },
        {
          optional: false,
          hint: 'This includes turning it off and deleting it. Only admins can change the links of people who have left, and links that were not made in Slack.',
        },
      ),
    ],
  })
}

/** What the form contains. A form that was opened before an upgrade lacks a part. */
function readPermissions(values: FormValues): Partial<Permissions> {
  const chosen = <T extends string>(blockId: string, choices: Choices<T>): T | undefined =>
    (Object.keys(choices) as T[]).find((choice) => choice === selectedOption(values, blockId))
  const mayShorten = chosen(SETTINGS_BLOCKS.mayShorten, MAY_SHORTEN)
  const mayChange = chosen(SETTINGS_BLOCKS.mayChange, MAY_CHANGE)
  return { ...(mayShorten && { mayShorten }), ...(mayChange && { mayChange }) }
}

import type { ModalView } from '@slack/types'
import { DEFAULT_SETTINGS, type Settings, type SettingsStore } from '../../workspaces/settings.ts'
import { option } from '../block-kit/elements.ts'
import type { Field } from '../block-kit/fields.ts'
import { choiceInput, formModal, type WithNotice } from '../block-kit/inputs.ts'
import { VIEWS } from '../ids.ts'
import { selectedOption, type FormValues } from '../platform/form-values.ts'
import type { SettingsForm } from './settings-form.ts'

type Permissions = Pick<Settings, 'mayShorten' | 'mayChange'>

/** The form that decides who can shorten links, and who can change them. */
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

const MAY_SHORTEN: Record<Permissions['mayShorten'], string> = {
  everyone: 'Everyone, including guests',
  not_guests: 'Everyone except guests',
}

const MAY_CHANGE: Record<Permissions['mayChange'], string> = {
  maker_and_admins: 'The person who made it, and admins',
  everyone: 'Everyone who can shorten links',
}

function permissionModal({ mayShorten, mayChange, notice }: Permissions & WithNotice): ModalView {
  const radioButtons = (
    field: 'may_shorten' | 'may_change',
    choices: Record<string, string>,
    selected: string,
    hint: string,
  ) => {
    const options = Object.entries(choices).map(([value, text]) => option(text, value))
    return choiceInput(field, options, selected, { type: 'radio_buttons', optional: false, hint })
  }
  return formModal({
    callbackId: VIEWS.settingsMayShorten,
    title: 'Permissions',
    close: 'Back',
    notice,
    blocks: [
      radioButtons(
        'may_shorten',
        MAY_SHORTEN,
        mayShorten,
        'Guests who can’t shorten links don’t see the list of links either.',
      ),
      radioButtons(
        'may_change',
        MAY_CHANGE,
        mayChange,
        'This includes turning it off and deleting it. Only admins can change the links of people who have left, and links that were not made in Slack.',
      ),
    ],
  })
}

/** What the form contains. A form that was opened before an upgrade lacks a part. */
function readPermissions(values: FormValues): Partial<Permissions> {
  const chosen = <T extends string>(field: Field, choices: Record<T, string>): T | undefined =>
    (Object.keys(choices) as T[]).find((choice) => choice === selectedOption(values, field))
  const mayShorten = chosen('may_shorten', MAY_SHORTEN)
  const mayChange = chosen('may_change', MAY_CHANGE)
  return { ...(mayShorten && { mayShorten }), ...(mayChange && { mayChange }) }
}

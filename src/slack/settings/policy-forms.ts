import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import type { Settings } from '../../workspaces/settings.ts'
import { option } from '../block-kit/elements.ts'
import { checkbox, choiceInput, formModal, textInput } from '../block-kit/inputs.ts'
import { VIEWS } from '../ids.ts'
import { errorMrkdwn } from '../platform/error-messages.ts'
import { colorError, errorAt } from '../platform/field-errors.ts'
import { isChecked, selectedOption, typedText, type FormValues } from '../platform/form-values.ts'
import type { SettingsForm } from './settings-form.ts'

export const qrForm: SettingsForm = {
  async build({ settings }, { workspace }) {
    const { qr } = await settings.read(workspace.id)
    return formModal({
      callbackId: VIEWS.settingsQr,
      title: 'QR codes',
      close: 'Back',
      blocks: [
        checkbox('qr_code_enabled', 'Create a QR code for every link', qr.enabled, {
          hint: 'Users can still decide for each link.',
        }),
        textInput('qr_code_color', qr.color, {
          max_length: 100,
          placeholder: DEFAULT_COLOR,
          hint: 'A dark color, written as #RRGGBB. Black if left empty.',
        }),
      ],
    })
  },
  async save({ settings }, { workspace }, values, userId) {
    const color = typedText(values, 'qr_code_color')
    const message = colorError(color)
    if (message) throw errorAt('qr_code_color', message)
    const qr = { enabled: isChecked(values, 'qr_code_enabled'), ...(color && { color }) }
    await settings.update(workspace.id, userId, (current) => ({ ...current, qr }))
  },
}

export const permissionForm: SettingsForm = {
  async build({ settings }, { workspace }) {
    const { mayShorten, mayChange } = await settings.read(workspace.id)
    return formModal({
      callbackId: VIEWS.settingsMayShorten,
      title: 'Permissions',
      close: 'Back',
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
          'This includes turning it off and deleting it. If not everyone can, only admins can change the links of people who have left, and links whose creator Backhalf doesn’t know. Saving signs everyone out of the link service’s dashboard.',
        ),
      ],
    })
  },
  async save({ linkService, settings }, { workspace }, values, userId) {
    const mayShorten = chosen(values, 'may_shorten', MAY_SHORTEN)
    const mayChange = chosen(values, 'may_change', MAY_CHANGE)
    await settings.update(workspace.id, userId, (current) => ({
      ...current,
      ...(mayShorten && { mayShorten }),
      ...(mayChange && { mayChange }),
    }))
    // People who have the dashboard open signed in under the earlier settings.
    const signOut = await linkService.signOut(workspace)
    return signOut().then(() => undefined, notSignedOut)
  },
}

export function notSignedOut(error: unknown): string {
  return [
    ':white_check_mark: Saved.',
    ':warning: But Backhalf couldn’t sign people out of the dashboard. People who have it open keep their earlier permissions there for up to an hour. To sign them out, save this form again.',
    errorMrkdwn(error),
  ].join('\n')
}

const MAY_SHORTEN: Record<Settings['mayShorten'], string> = {
  everyone: 'Everyone, including guests',
  not_guests: 'Everyone except guests',
}

const MAY_CHANGE: Record<Settings['mayChange'], string> = {
  maker_and_admins: 'The person who created it, and admins',
  everyone: 'Everyone who can shorten links',
}

type PermissionField = 'may_shorten' | 'may_change'

function radioButtons(
  field: PermissionField,
  choices: Record<string, string>,
  selected: string,
  hint: string,
) {
  const options = Object.entries(choices).map(([value, text]) => option(text, value))
  return choiceInput(field, options, selected, { type: 'radio_buttons', optional: false, hint })
}

function chosen<T extends string>(
  values: FormValues,
  field: PermissionField,
  choices: Record<T, string>,
): T | undefined {
  return (Object.keys(choices) as T[]).find((choice) => choice === selectedOption(values, field))
}

import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import type { Settings } from '../../workspaces/settings.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { option } from '../block-kit/elements.ts'
import { checkbox, choiceInput, formModal, textInput } from '../block-kit/inputs.ts'
import { VIEWS } from '../ids.ts'
import { errorMrkdwn } from '../platform/error-messages.ts'
import { colorError, errorAt } from '../platform/field-errors.ts'
import { isChecked, selectedOption, typedText } from '../platform/form-values.ts'
import type { SettingsForm, SettingsPlatform } from './settings-form.ts'

export const qrForm: SettingsForm = {
  async build({ settings }, workspace) {
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

const MAY_SHORTEN = [
  option('Everyone, including guests', 'everyone'),
  option('Everyone except guests', 'not_guests'),
]

const MAY_CHANGE = [
  option('The person who created it, and admins', 'maker_and_admins'),
  option('Everyone who can shorten links', 'everyone'),
]

export const permissionForm: SettingsForm = {
  async build({ settings }, workspace) {
    const { mayShorten, mayChange } = await settings.read(workspace.id)
    return formModal({
      callbackId: VIEWS.settingsMayShorten,
      title: 'Permissions',
      close: 'Back',
      blocks: [
        choiceInput('may_shorten', MAY_SHORTEN, mayShorten, {
          type: 'radio_buttons',
          hint: 'Guests who can’t shorten links don’t see the list of links either.',
        }),
        choiceInput('may_change', MAY_CHANGE, mayChange, {
          type: 'radio_buttons',
          hint: 'Changing a link includes turning it off and deleting it. With the first choice, only admins can change a link whose creator has left or is unknown. Saving signs everyone out of the link service’s dashboard.',
        }),
      ],
    })
  },
  async save({ linkService, settings }, { workspace }, values, userId) {
    // The store refuses other values.
    const mayShorten = selectedOption(values, 'may_shorten') as Settings['mayShorten']
    const mayChange = selectedOption(values, 'may_change') as Settings['mayChange']
    const permissions = { mayShorten, mayChange }
    await settings.update(workspace.id, userId, (current) => ({ ...current, ...permissions }))
    return signEveryoneOut(linkService, workspace)
  },
}

/** Ends sessions of the dashboard, which have the earlier permissions. Returns a warning if people stay signed in. */
export async function signEveryoneOut(
  linkService: SettingsPlatform['linkService'],
  workspace: Workspace,
): Promise<string | undefined> {
  const signOut = await linkService.prepareSignOut(workspace)
  return signOut().then(
    () => undefined,
    (error: unknown) =>
      [
        ':white_check_mark: Saved.',
        ':warning: But Backhalf couldn’t sign people out of the dashboard. People who have it open keep their earlier permissions there for up to an hour. To sign them out, save this form again.',
        errorMrkdwn(error),
      ].join('\n'),
  )
}

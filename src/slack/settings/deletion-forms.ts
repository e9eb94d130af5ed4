import { formatCount } from '../../web/numbers.ts'
import { withoutReport } from '../../workspaces/settings.ts'
import { section } from '../block-kit/elements.ts'
import { checkbox, formModal, textInput } from '../block-kit/inputs.ts'
import { noticeModal } from '../block-kit/notices.ts'
import { COMMAND, VIEWS } from '../ids.ts'
import { errorTexts } from '../platform/error-messages.ts'
import { errorAt } from '../platform/field-errors.ts'
import { typedText } from '../platform/form-values.ts'
import type { SettingsForm } from './settings-form.ts'

const untilConnected = (): string =>
  `until an admin connects this workspace again in \`${COMMAND} settings\``

export const disconnectForm: SettingsForm = {
  async build({ workspaces }, workspace) {
    const { state } = await workspaces.status(workspace)
    // A key that can't be read anymore can still be deleted.
    if (state !== 'connected' && state !== 'unreadable') {
      const text = `This workspace isn’t connected to a link service. You can connect it in \`${COMMAND} settings\`.`
      return noticeModal('Disconnect Backhalf', text)
    }
    const { connectsAutomatically: needsNoKey } = workspaces
    const history = needsNoKey
      ? 'Their history still names the people who created and changed them; to erase a person, first use _Erase an ID…_ in the settings. '
      : ''
    const paragraphs = [
      `*What is deleted:* the API key, the list of domains and the schedule of the weekly report. All alerts end. No one can create or list links ${untilConnected()}.`,
      `*What stays:* all links and their QR codes keep working. ${history}The UTM templates and other settings are kept for when you connect again.`,
      needsNoKey
        ? 'To connect again, you only have to press a button. You won’t need a key.'
        : 'To connect again, you will need a key. The current key stays valid at the link service until it is revoked there.',
    ]
    return formModal({
      callbackId: VIEWS.disconnect,
      title: 'Disconnect Backhalf',
      submit: 'Disconnect',
      blocks: [section(paragraphs.join('\n\n'))],
    })
  },
  async save({ linkService, settings, workspaces }, { workspace }, _values, userId) {
    const signOut = await linkService.prepareSignOut(workspace)
    await workspaces.disconnect(workspace.id, userId)
    await settings.update(workspace.id, userId, withoutReport)
    const done = `:white_check_mark: This workspace is disconnected. Its links keep working. No one can create new links ${untilConnected()}.`
    return signOut().then(
      () => done,
      () =>
        `${done}\n:warning: Backhalf couldn’t sign people out of the link service’s dashboard. People who have it open can use it for up to an hour.`,
    )
  },
}

/** Asks for the person's member ID, because Slack's menus don't offer people who have left. */
export const erasePersonForm: SettingsForm = {
  build: async () =>
    formModal({
      callbackId: VIEWS.settingsErasePerson,
      title: 'Erase a person’s ID',
      submit: 'Erase',
      blocks: [
        section(
          [
            '*What is erased:* that the person created, changed or deleted links, the UTM values that they used last, and that they installed Backhalf, connected this workspace or changed its settings. Their alerts end, and so does a weekly report that they set up. The link service is asked to erase the person’s ID and name as well.',
            '*What stays:* their links, which still work, and the messages in Slack.',
          ].join('\n\n'),
        ),
        textInput('person', undefined, {
          max_length: 100,
          optional: false,
          hint: 'In Slack, open the person’s profile, press ⋮ and choose Copy member ID.',
        }),
        checkbox('erase_confirmed', 'Erase it. This can’t be undone.', false, { optional: false }),
      ],
    }),
  async save({ linkService, workspaces }, { workspace }, values) {
    const memberId = readMemberId(typedText(values, 'person'))
    const links = await workspaces.forgetPerson(workspace.id, memberId)
    const isErased = await linkService.erasePerson(workspace, memberId).catch((cause: unknown) => {
      const message = `Erased in Backhalf, but not at the link service, which might still name the person. ${errorTexts(cause).join(' ')} Then press Erase again.`
      throw errorAt('person', message, { cause })
    })
    const warning = isErased
      ? ''
      : '\n:warning: The link service still names the person in its history of links. Ask the person who runs it to erase that.'
    const creator =
      links > 0
        ? `The person was recorded as the creator of ${formatCount(links, 'link')}.`
        : 'Backhalf has no records of links that they created.'
    return `:white_check_mark: Erased. ${creator} Their links keep working. Admins can change them; others only if _Permissions_ let everyone do that.${warning}`
  },
}

/** Accepts `U0123ABCD`, or a mention as Slack writes it: `<@U0123ABCD>` or `<@U0123ABCD|ana>`. */
function readMemberId(typed: string): string {
  const id = /^(?:<@)?([UW][A-Z0-9]{2,30})(?:\|[^>]*)?>?$/.exec(typed)?.[1]
  if (id) return id
  throw errorAt(
    'person',
    'This isn’t a member ID. A member ID starts with U or W, followed by capital letters and digits.',
  )
}

import type { Checkboxes, ModalView, PlainTextInput } from '@slack/types'
import { formatCount } from '../../web/numbers.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { initialValue, input, option, section } from '../block-kit/elements.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'
import { SETTINGS_BLOCKS, VIEWS } from '../ids.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { textOf } from '../platform/form-values.ts'
import { formModal, type SettingsForm, type WithNotice } from './settings-form.ts'

/**
 * Erases a person's ID from the app's records, after asking. The person is given by their member ID, because Slack's
 * menus don't offer people who have left.
 */
export function createErasePersonForm(workspaces: Pick<Workspaces, 'forgetPerson'>): SettingsForm {
  return {
    build: async () => erasePersonModal({ typed: '' }),
    async save({ workspace }, values) {
      const links = await workspaces.forgetPerson(workspace.id, readMemberId(typedIn(values)))
      return `:white_check_mark: Erased. The person was recorded as the maker of ${formatCount(links, 'link')}. Their links keep working, and only admins can change them.`
    },
    rebuild: async (_subject, values, notice) =>
      erasePersonModal({ typed: typedIn(values), notice }),
  }
}

const typedIn = (values: Parameters<SettingsForm['save']>[1]): string =>
  textOf(values, SETTINGS_BLOCKS.person)

/** `U0123ABCD`, or a mention as Slack writes it: `<@U0123ABCD>` or `<@U0123ABCD|ana>`. */
function readMemberId(typed: string): string {
  const id = /^(?:<@)?([UW][A-Z0-9]{2,30})(?:\|[^>]*)?>?$/.exec(typed)?.[1]
  if (id) return id
  const message =
    'This isn’t a member ID. A member ID starts with U or W, followed by capital letters and digits.'
  throw new SlackInputError([{ field: SETTINGS_BLOCKS.person, message }])
}

function erasePersonModal({ typed, notice }: { typed: string } & WithNotice): ModalView {
  return formModal({
    callbackId: VIEWS.settingsErasePerson,
    title: 'Erase a person’s ID',
    submit: 'Erase',
    close: 'Cancel',
    notice,
    blocks: [
      section(
        [
          '*What is erased:* who made the person’s links, the UTM values that they used last, and that they installed Backhalf, connected this workspace or changed its settings.',
          '*What stays:* their links, which still work, and the messages in Slack.',
        ].join('\n\n'),
      ),
      input<PlainTextInput>(
        SETTINGS_BLOCKS.person,
        FIELD_LABELS.person,
        { type: 'plain_text_input', max_length: 100, ...initialValue(typed) },
        {
          optional: false,
          hint: 'In Slack, open the person’s profile, press ⋮ and choose Copy member ID.',
        },
      ),
      input<Checkboxes>(
        SETTINGS_BLOCKS.eraseConfirmed,
        FIELD_LABELS.erase_confirmed,
        { type: 'checkboxes', options: [option('Erase it. This can’t be undone.', 'erase')] },
        { optional: false },
      ),
    ],
  })
}

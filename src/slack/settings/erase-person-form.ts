import type { ModalView } from '@slack/types'
import { formatCount } from '../../web/numbers.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { section } from '../block-kit/elements.ts'
import { checkbox, formModal, textInput, type WithNotice } from '../block-kit/inputs.ts'
import { VIEWS } from '../ids.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { textOf } from '../platform/form-values.ts'
import type { SettingsForm } from './settings-form.ts'

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

const typedIn = (values: Parameters<SettingsForm['save']>[1]): string => textOf(values, 'person')

/** `U0123ABCD`, or a mention as Slack writes it: `<@U0123ABCD>` or `<@U0123ABCD|ana>`. */
function readMemberId(typed: string): string {
  const id = /^(?:<@)?([UW][A-Z0-9]{2,30})(?:\|[^>]*)?>?$/.exec(typed)?.[1]
  if (id) return id
  const message =
    'This isn’t a member ID. A member ID starts with U or W, followed by capital letters and digits.'
  throw new SlackInputError([{ field: 'person', message }])
}

function erasePersonModal({ typed, notice }: { typed: string } & WithNotice): ModalView {
  return formModal({
    callbackId: VIEWS.settingsErasePerson,
    title: 'Erase a person’s ID',
    submit: 'Erase',
    notice,
    blocks: [
      section(
        [
          '*What is erased:* who made the person’s links, the UTM values that they used last, and that they installed Backhalf, connected this workspace or changed its settings.',
          '*What stays:* their links, which still work, and the messages in Slack.',
        ].join('\n\n'),
      ),
      textInput('person', typed, {
        max_length: 100,
        optional: false,
        hint: 'In Slack, open the person’s profile, press ⋮ and choose Copy member ID.',
      }),
      checkbox('erase_confirmed', 'Erase it. This can’t be undone.', false, { optional: false }),
    ],
  })
}

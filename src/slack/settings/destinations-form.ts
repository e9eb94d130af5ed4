import type { ModalView } from '@slack/types'
import { hostNames, isAllowedHost, readHosts } from '../../contract/allowed-hosts.ts'
import type { AllowedDestinations, Settings } from '../../workspaces/settings.ts'
import { actions, button, context, option, present } from '../block-kit/elements.ts'
import { channelInput, checkbox, choiceInput, formModal, textInput } from '../block-kit/inputs.ts'
import { escape, mention, shownHost } from '../block-kit/mrkdwn.ts'
import { ACTIONS, VIEWS } from '../ids.ts'
import { errorAt, SlackInputError } from '../platform/field-errors.ts'
import {
  isChecked,
  selectedOption,
  typedText,
  inputValue,
  type FormValues,
} from '../platform/form-values.ts'
import type { ActionRequest } from '../platform/listeners.ts'
import { announce } from '../platform/replies.ts'
import { signEveryoneOut } from './policy-forms.ts'
import { fitsInput, linesInput, type SettingsForm, type SettingsPlatform } from './settings-form.ts'

export function destinationsText({ destinations }: Settings): string {
  if (!destinations) return 'Links can lead anywhere.'
  const { hosts, approvers } = destinations
  const others =
    approvers === undefined
      ? 'Links to other destinations are refused.'
      : `Approvers in <#${approvers}> decide on links to other destinations.`
  return `Links can lead to ${escape(hostNames(hosts))} and subdomains. ${others}`
}

export const destinationsForm: SettingsForm = {
  async build({ settings }, workspace) {
    const { destinations } = await settings.read(workspace.id)
    return destinationsModal({
      lines: destinations?.hosts ?? [],
      asks: destinations?.approvers !== undefined,
      ...destinations,
    })
  },

  /** Announces the change in the channel before saving it, to check that Backhalf can post there. */
  async save({ clientFor, linkService, settings }, { workspace }, values, userId) {
    const entered = enteredDestinations(values)
    checkHosts(entered)
    const { hosts, asks, ownRequests } = entered
    const approvers = asks ? entered.approvers : undefined
    const { destinations: current } = await settings.read(workspace.id)
    if (asks && hosts.length > 0) {
      if (approvers === undefined)
        throw errorAt('approvers', 'Choose the channel whose members approve links.')
      if (approvers !== current?.approvers) {
        const text = `:raising_hand: ${mention(userId)} made this the approvers’ channel. When someone asks for a short link to a destination that is not allowed, everyone here can approve or decline it.`
        const client = await clientFor(workspace.id)
        await announce(client, { channel: approvers, text, field: 'approvers' })
      }
    }
    const destinations = hosts.length > 0 ? { hosts, approvers, ownRequests } : undefined
    await settings.update(workspace.id, userId, (others) => ({ ...others, destinations }))
    return signEveryoneOut(linkService, workspace)
  },
}

function enteredDestinations(values: FormValues) {
  const text = inputValue(values, 'allowed_hosts')?.value ?? ''
  return {
    ...readHosts(text),
    lines: text.split('\n'),
    asks: selectedOption(values, 'other_destinations') === 'ask', // instead of refusing other destinations
    approvers: inputValue(values, 'approvers')?.selected_conversation ?? undefined,
    ownRequests: isChecked(values, 'own_requests'),
  }
}

/** Shows in the form whether links could lead to a URL if the form were saved. */
export async function tryDestination({ views }: SettingsPlatform, { caller, view }: ActionRequest) {
  if (!view) return
  const { id: view_id, hash, state } = view
  const entered = enteredDestinations(state.values)
  const tried = triedText(typedText(state.values, 'tried_url'), entered.hosts)
  await views.update(caller, { view_id, hash }, destinationsModal(entered, tried))
}

function triedText(typedUrl: string, hosts: readonly string[]): string {
  const url = URL.parse(/^[a-z]+:(?!\d)/i.test(typedUrl) ? typedUrl : `https://${typedUrl}`)
  if (!url || !/^https?:$/.test(url.protocol))
    return ':warning: Enter a URL, such as https://example.com/page.'
  return isAllowedHost(url.href, hosts)
    ? `:white_check_mark: Links can lead to ${shownHost(url.href)}.`
    : `:no_entry: ${shownHost(url.href)} is not on the list.`
}

const OTHERS = [option('Refuse them', 'refuse'), option('Ask approvers in a channel', 'ask')]

function destinationsModal(
  current: Partial<AllowedDestinations> & { lines: readonly string[]; asks: boolean },
  tried?: string,
): ModalView {
  const { lines, asks, approvers, ownRequests } = current
  return formModal({
    callbackId: VIEWS.settingsDestinations,
    title: 'Destinations',
    close: 'Back',
    blocks: present([
      linesInput('allowed_hosts', lines, {
        placeholder: 'example.com',
        hint: 'One hostname per line. Its subdomains are included. If empty, links can lead anywhere. Existing links stay as they are.',
      }),
      textInput('tried_url', undefined, {
        placeholder: 'https://shop.example.com/page',
        hint: 'Checks whether links can lead there.',
      }),
      ...actions([button('Try this URL', ACTIONS.tryDestination)]),
      tried !== undefined && context(tried),
      choiceInput('other_destinations', OTHERS, asks ? 'ask' : 'refuse', { type: 'radio_buttons' }),
      channelInput(
        'approvers',
        approvers,
        {
          hint: 'Needed to ask approvers. Everyone in this channel can approve, so a private one is best. If Backhalf isn’t in it yet, type /invite @Backhalf there first.',
        },
        { include: ['public', 'private'], exclude_external_shared_channels: true },
      ),
      checkbox('own_requests', 'Approvers can approve their own requests', ownRequests),
    ]),
  })
}

function checkHosts({ hosts, invalid }: ReturnType<typeof readHosts>): void {
  const issues = invalid.map(({ number }) => ({
    field: 'allowed_hosts' as const,
    message: `Line ${number}: write a hostname, such as example.com.`,
  }))
  if (issues.length > 0) throw new SlackInputError(issues)
  // A hostname with letters such as ü is stored as in URLs, which is longer: `xn--bcher-kva.example`.
  if (!fitsInput(hosts)) throw errorAt('allowed_hosts', 'This list is too long. Remove some lines.')
}

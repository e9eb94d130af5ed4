import type { ModalView } from '@slack/types'
import { z } from 'zod'
import type { Capabilities } from '../../port/capabilities.ts'
import { formatNumber } from '../../web/numbers.ts'
import { ALERT_CONDITIONS, type AlertSubject, type StoredAlert } from '../../workspaces/alerts.ts'
import type { AlertStart } from '../block-kit/alert-button.ts'
import { option } from '../block-kit/elements.ts'
import { channelInput, choiceInput, formModal, textInput } from '../block-kit/inputs.ts'
import { VIEWS } from '../ids.ts'
import { type FieldError, SlackInputError } from '../platform/field-errors.ts'
import { selectedOption, typedText, inputValue, type FormValues } from '../platform/form-values.ts'
import { CONDITIONS, isOffered } from './conditions.ts'

const SUBJECTS = {
  link: 'A link',
  tag: 'The links with a tag',
  campaign: 'The links of a campaign',
  all: 'All links',
} satisfies Record<AlertSubject['kind'], string>

const KINDS = Object.keys(SUBJECTS) as [AlertSubject['kind']]

function toAlertStart(about: AlertSubject): AlertStart {
  if (about.kind === 'all') return ['all', '']
  return [about.kind, about.kind === 'link' ? about.shortUrl : about.name]
}

export function alertForm(
  capabilities: Capabilities,
  edited: StoredAlert | undefined,
  about: AlertStart | undefined,
  isInList: boolean,
): ModalView {
  const { alert } = edited ?? {}
  const [kind, name] = about ?? (alert ? toAlertStart(alert.about) : ['link', ''])
  const conditions = ALERT_CONDITIONS.filter((condition) =>
    isOffered(condition, capabilities, 'all'),
  ).map((condition) => option(CONDITIONS[condition].label, condition))
  const subjects = Object.entries(SUBJECTS).map(([value, text]) => option(text, value))
  return formModal({
    callbackId: VIEWS.alert,
    metadata: JSON.stringify([edited?.id ?? '', isInList]),
    title: edited ? 'Edit alert' : 'New alert',
    blocks: [
      choiceInput('alert_about', subjects, kind, { optional: false }),
      textInput('alert_name', name, {
        hint: 'The short link or its back-half, the tag, or the campaign. Not needed for all links.',
      }),
      choiceInput('alert_condition', conditions, alert?.condition, {
        optional: false,
        placeholder: 'Tell me when…',
        hint: 'Clicks on several links are added up. Days are counted in UTC.',
      }),
      textInput('alert_number', alert?.number === undefined ? undefined : String(alert.number), {
        hint: 'The number of clicks or days, or how many times the average. Not needed for changes or dead destinations.',
      }),
      channelInput('alert_channel', alert?.channel, {
        hint: 'Leave this empty to get direct messages. Backhalf must be in the channel, and announces the alert there when you save.',
      }),
    ],
  })
}

export function decodeAlertMetadata(metadata: string) {
  const [editedId, isInList] = z.tuple([z.string(), z.boolean()]).parse(JSON.parse(metadata))
  return { editedId, isInList } // For a new alert, the ID is empty.
}

export function readAlertForm(values: FormValues) {
  const kind = KINDS.find((known) => known === selectedOption(values, 'alert_about')) ?? 'all'
  const name = typedText(values, 'alert_name')
  const chosen = selectedOption(values, 'alert_condition')
  const condition = ALERT_CONDITIONS.find((known) => known === chosen) ?? 'changes'
  const { selected_conversation: channel } = inputValue(values, 'alert_channel') ?? {}
  const issues: FieldError[] = []
  if (kind !== 'all' && (name === '' || name.length > MAX_NAME)) {
    const noun = { link: 'short link', tag: 'tag', campaign: 'campaign' }[kind]
    issues.push({ field: 'alert_name', message: `Enter the ${noun}.` })
  }
  const { number: range } = CONDITIONS[condition]
  const digits = typedText(values, 'alert_number').replaceAll(/[,\s]/g, '')
  const number = /^\d{1,10}$/.test(digits) ? Number(digits) : NaN
  if (range && !(number >= range.min && number <= range.max)) {
    const { min, max, means, example } = range
    const message = `Enter a whole number from ${min} to ${formatNumber(max)} (${means}), such as ${formatNumber(example)}.`
    issues.push({ field: 'alert_number', message })
  }
  if (issues.length > 0) throw new SlackInputError(issues)
  return { kind, name, condition, ...(range && { number }), ...(channel && { channel }) }
}

const MAX_NAME = 1_000

import type { ModalView } from '@slack/types'
import { LinkServiceError } from '../../client/errors.ts'
import { MAX_DOMAINS } from '../../client/link-client.ts'
import type { DomainRecord, Domains } from '../../workspaces/connection.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { option, section } from '../block-kit/elements.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'
import { choicesInput, formModal, type WithNotice } from '../block-kit/inputs.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { VIEWS } from '../ids.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { selectedOption, selectedOptions, type FormValues } from '../platform/form-values.ts'
import type { LinkService } from '../links/link-service.ts'
import {
  changedMeanwhile,
  createDomainsForm,
  defaultDomainInput,
  storedDomains,
  versionOf,
} from './domains-form.ts'
import type { FormSubject, SettingsForm } from './settings-form.ts'

/**
 * The form in which an admin picks the workspace's domain records from those that the link service lists, if it
 * offers that. If it can't be reached, or lists more than a menu holds, the admin types them instead.
 */
export interface DomainPicker extends SettingsForm {
  /** Whether the workspace's link service lists its domain records, as far as is known. */
  isOffered(workspace: Workspace): Promise<boolean>
  /** @param intro mrkdwn at the top of the form */
  build(subject: FormSubject, intro?: string): Promise<ModalView>
}

export function createDomainPicker(
  workspaces: Workspaces,
  linkService: Pick<LinkService, 'offers' | 'listDomains'>,
): DomainPicker {
  const typed = createDomainsForm(workspaces)

  return {
    async isOffered(workspace) {
      const stored = await storedDomains(workspaces, workspace)
      return stored !== undefined && (await linkService.offers(workspace)).domains
    },

    async build(subject, intro) {
      const stored = await storedDomains(workspaces, subject.workspace)
      const listed = stored && (await listedDomains(linkService, subject.workspace))
      if (!stored || !listed) return typed.build(subject)
      return pickerModal({
        listed,
        picked: stored.domains.map(({ name }) => name),
        version: versionOf(stored),
        intro,
      })
    },

    async save({ workspace, key: version }, values) {
      const { domains: listed } = await linkService.listDomains(workspace)
      const domains = pickDomains(listed, readPicked(values))
      const isSaved = await workspaces.setDomains(
        workspace.id,
        domains,
        (stored) => versionOf(stored) === version,
      )
      if (!isSaved) throw changedMeanwhile()
      return undefined
    },

    async rebuild({ workspace, key: version }, values, notice) {
      const { names, selected, texts } = readPicked(values)
      const { domains = [] } = (await storedDomains(workspaces, workspace)) ?? {}
      // The service is not asked again: what the form says of the picked records is enough to show them.
      const known = new Map<string, DomainRecord>()
      for (const record of [...texts, ...domains]) known.set(record.name, record)
      return pickerModal({ listed: [...known.values()], picked: names, selected, version, notice })
    },
  }
}

/** Undefined if the admin must type them. */
async function listedDomains(
  linkService: Pick<LinkService, 'listDomains'>,
  workspace: Workspace,
): Promise<DomainRecord[] | undefined> {
  try {
    const { domains, hasMore } = await linkService.listDomains(workspace)
    return hasMore || !domains.some(fitsMenu) ? undefined : domains.filter(fitsMenu)
  } catch (error) {
    if (error instanceof LinkServiceError) return undefined // It is in the log.
    throw error
  }
}

function fitsMenu({ name }: DomainRecord): boolean {
  return name.length <= LIMITS.optionValue
}

interface PickerModal extends WithNotice {
  /** At least one, and at most MAX_DOMAINS. */
  listed: readonly DomainRecord[]
  /** The IDs of the picked records. The default is first, unless another one is selected. */
  picked: readonly string[]
  selected?: string | undefined
  /** Identifies the stored records (`versionOf`). */
  version: string
  /** mrkdwn at the top of the form. */
  intro?: string | undefined
}

export function pickerModal({
  listed,
  picked,
  selected,
  version,
  notice,
  intro,
}: PickerModal): ModalView {
  const shown = listed.slice(0, MAX_DOMAINS)
  const options = shown.map(({ name, domain_name }) => option(domain_name, name))
  return formModal({
    callbackId: VIEWS.settingsPickDomains,
    title: FIELD_LABELS.domains,
    close: 'Back',
    metadata: version,
    notice,
    blocks: [
      ...(intro ? [section(intro)] : []),
      choicesInput('domains', options, picked, {
        optional: false,
        hint: 'Users choose from these when they make a link. Removing one changes no existing link.',
      }),
      ...defaultDomainInput(shown, selected ?? picked[0]),
    ],
  })
}

interface Picked {
  names: readonly string[]
  /** The ID of the record selected as the default. */
  selected: string | undefined
  /** The picked records as the menu shows them: a long hostname is cut. */
  texts: readonly DomainRecord[]
}

function readPicked(values: FormValues): Picked {
  const texts = selectedOptions(values, 'domains').map(({ value, text }): DomainRecord => ({
    name: value,
    domain_name: text,
  }))
  return {
    names: texts.map(({ name }) => name),
    selected: selectedOption(values, 'default_domain'),
    texts,
  }
}

/**
 * The picked records as the service lists them now, the default first.
 *
 * @throws SlackInputError at the field with the issue
 */
export function pickDomains(
  listed: readonly DomainRecord[],
  { names, selected = names[0] }: Pick<Picked, 'names' | 'selected'>,
): Domains {
  const picked = listed.filter(({ name }) => names.includes(name))
  const first = picked.find(({ name }) => name === selected)
  if (picked.length < names.length) {
    const message =
      'The link service doesn’t list all of these anymore. Close this and open it again.'
    throw new SlackInputError([{ field: 'domains', message }])
  }
  if (!first) {
    const message = 'The default must be one of the domains above.'
    throw new SlackInputError([{ field: 'default_domain', message }])
  }
  return [first, ...picked.filter((record) => record !== first)]
}

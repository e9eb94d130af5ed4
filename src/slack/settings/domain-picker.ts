import type { ModalView } from '@slack/types'
import { LinkServiceError } from '../../client/errors.ts'
import { MAX_DOMAINS } from '../../client/link-client.ts'
import type { DomainRecord, Domains } from '../../workspaces/connection.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { StoredDomains, Workspaces } from '../../workspaces/workspaces.ts'
import { option, section } from '../block-kit/elements.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'
import { choicesInput, formModal } from '../block-kit/inputs.ts'
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
import type { FormSubject } from './settings-form.ts'

/**
 * The form in which an admin picks the workspace's domain records from those that the link service lists, if it
 * offers that. If it can't be reached, or lists more than a menu holds, the admin types them instead.
 */
export function createDomainPicker(
  workspaces: Workspaces,
  linkService: Pick<LinkService, 'offers' | 'listDomains'>,
) {
  const typed = createDomainsForm(workspaces)

  return {
    /** Whether the workspace's link service lists its domain records, as far as is known. */
    async isOffered(workspace: Workspace): Promise<boolean> {
      const stored = await storedDomains(workspaces, workspace)
      return stored !== undefined && (await linkService.offers(workspace)).domains
    },

    /** @param intro mrkdwn at the top of the form */
    async build(subject: FormSubject, intro?: string): Promise<ModalView> {
      const stored = await storedDomains(workspaces, subject.workspace)
      const listed = stored && (await listedDomains(linkService, subject.workspace))
      return stored && listed ? pickerModal(listed, stored, intro) : typed.build(subject)
    },

    async save({ workspace, key: version }: FormSubject, values: FormValues) {
      const { domains: listed } = await linkService.listDomains(workspace)
      const isSaved = await workspaces.setDomains(
        workspace.id,
        pickDomains(listed, values),
        (stored) => versionOf(stored) === version,
      )
      if (!isSaved) throw changedMeanwhile()
      return undefined
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

/**
 * @param listed at least one, of which a menu holds MAX_DOMAINS
 * @param intro mrkdwn at the top of the form
 */
function pickerModal(
  listed: readonly DomainRecord[],
  stored: StoredDomains,
  intro?: string,
): ModalView {
  const shown = listed.slice(0, MAX_DOMAINS)
  const options = shown.map(({ name, domain_name }) => option(domain_name, name))
  const picked = stored.domains.map(({ name }) => name)
  return formModal({
    callbackId: VIEWS.settingsPickDomains,
    title: FIELD_LABELS.domains,
    // With an intro, it replaces the connect form, which may have been the first view.
    close: intro ? 'Close' : 'Back',
    metadata: versionOf(stored),
    blocks: [
      ...(intro ? [section(intro)] : []),
      choicesInput('domains', options, picked, {
        optional: false,
        hint: 'Users choose from these when they make a link. Removing one changes no existing link.',
      }),
      ...defaultDomainInput(shown, picked[0]),
    ],
  })
}

/**
 * The picked records as the service lists them now, the default first.
 *
 * @throws SlackInputError at the field with the issue
 */
function pickDomains(listed: readonly DomainRecord[], values: FormValues): Domains {
  const names = selectedOptions(values, 'domains')
  const picked = listed.filter(({ name }) => names.includes(name))
  const selected = selectedOption(values, 'default_domain') ?? names[0]
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

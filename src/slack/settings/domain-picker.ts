import { createHash } from 'node:crypto'
import type { ModalView } from '@slack/types'
import type { DomainRecord, Domains } from '../../workspaces/connection.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { option, present, section } from '../block-kit/elements.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'
import { choiceInput, choicesInput, formModal } from '../block-kit/inputs.ts'
import { COMMAND, VIEWS } from '../ids.ts'
import { errorAt, SlackInputError } from '../platform/field-errors.ts'
import { selectedOption, selectedOptions, type FormValues } from '../platform/form-values.ts'
import type { SettingsForm, SettingsPlatform } from './settings-form.ts'

export const domainPicker: SettingsForm = {
  async build(platform, workspace) {
    const { domains: listed, hasMore } = await platform.linkService.listDomains(workspace)
    if (!hasMore && listed.length > 0) return buildPicker(platform, workspace, listed)
    throw new SlackInputError(
      `The link service lists ${hasMore ? 'more domains than a menu holds' : 'no domains'}. To enter those that you want, type ${COMMAND} connect.`,
    )
  },
  async save({ linkService, workspaces }, { workspace, key: version }, values) {
    const { domains: listed } = await linkService.listDomains(workspace)
    const isSaved = await workspaces.setDomains(
      workspace.id,
      pickDomains(listed, values),
      (stored, since) => domainsVersion(stored, since) === version,
    )
    if (isSaved) return undefined
    throw new SlackInputError(
      'Another admin changed this workspace’s domains or its connection meanwhile, so nothing was saved. Close this and open it again.',
    )
  },
}

export async function buildPicker(
  { workspaces }: SettingsPlatform,
  workspace: Workspace,
  listed: readonly DomainRecord[],
  intro?: string,
): Promise<ModalView> {
  const status = await workspaces.status(workspace)
  if (status.state !== 'connected' || status.connection.source === 'configured') {
    throw new SlackInputError(
      `Domains belong to the workspace’s connection. To connect it, type ${COMMAND} connect.`,
    )
  }
  const { connection, since } = status
  const options = listed.map(({ name, domain_name }) => option(domain_name, name))
  const picked = connection.domains.map(({ name }) => name)
  const first = options.find(({ value }) => value === picked[0]) ?? options[0]
  return formModal({
    callbackId: VIEWS.settingsPickDomains,
    title: FIELD_LABELS.domains,
    // With an intro, the picker replaces the connect form, which might have been the first view.
    close: intro ? 'Close' : 'Back',
    metadata: domainsVersion(connection.domains, since),
    blocks: present([
      intro && section(intro),
      choicesInput('domains', options, picked, {
        optional: false,
        hint: 'Users choose from these when they create a link. Removing one changes no existing link.',
      }),
      options.length > 1 && choiceInput('default_domain', options, first?.value),
    ]),
  })
}

/** For optimistic locking: a form is saved only if the version that it showed is still stored. */
function domainsVersion(domains: readonly DomainRecord[], since: number | undefined): string {
  const records = domains.map(({ name, domain_name }) => [name, domain_name])
  return createHash('sha256')
    .update(JSON.stringify([since, records]))
    .digest('base64url')
}

function pickDomains(listed: readonly DomainRecord[], values: FormValues): Domains {
  const names = selectedOptions(values, 'domains')
  const picked = listed.filter(({ name }) => names.includes(name))
  const defaultName = selectedOption(values, 'default_domain') ?? names[0]
  const first = picked.find(({ name }) => name === defaultName)
  if (picked.length < names.length) {
    const message =
      'The link service doesn’t list all of these anymore. Close this and open it again.'
    throw errorAt('domains', message)
  }
  if (!first) throw errorAt('default_domain', 'The default must be one of the domains above.')
  return [first, ...picked.filter((record) => record !== first)]
}

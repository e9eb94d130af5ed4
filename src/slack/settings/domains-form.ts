import { createHash } from 'node:crypto'
import type { InputBlock, ModalView } from '@slack/types'
import type { DomainRecord, Domains } from '../../workspaces/connection.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { StoredDomains, Workspaces } from '../../workspaces/workspaces.ts'
import { option } from '../block-kit/elements.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'
import { choiceInput, formModal, type WithNotice } from '../block-kit/inputs.ts'
import { noticeModal } from '../block-kit/notices.ts'
import { VIEWS } from '../ids.ts'
import { SlackInputError, type FieldError } from '../platform/field-errors.ts'
import { selectedOption, type FormValues } from '../platform/form-values.ts'
import { domainLines, parseDomains } from './domain-lines.ts'
import { linesFrom, linesInput, typedLines, type Lines } from './lines.ts'
import type { SettingsForm } from './settings-form.ts'

/**
 * The workspace's domain records, which are stored in its connection, beside the key. The form contains
 * all of them, so it is saved only over the records that it showed: meanwhile, another admin may have
 * added some, or connected the workspace with a key that has others.
 */
export function createDomainsForm(workspaces: Workspaces): SettingsForm {
  return {
    async build({ workspace }) {
      const stored = await storedDomains(workspaces, workspace)
      return stored
        ? domainsModal({
            domains: stored.domains,
            version: versionOf(stored),
            lines: linesFrom(domainLines(stored.domains)),
          })
        : noticeModal('Domains', 'Connect this workspace with your own key first.')
    },
    async save({ workspace, key }, values) {
      const domains = checkDomains(readDomains(values, await storedDomains(workspaces, workspace)))
      const isUnchanged = (stored: StoredDomains): boolean => versionOf(stored) === key
      if (!(await workspaces.setDomains(workspace.id, domains, isUnchanged))) {
        throw changedMeanwhile('Copy your lines, close')
      }
      return undefined
    },
    async rebuild({ workspace, key: version }, values, notice) {
      const stored = await storedDomains(workspaces, workspace)
      const domains = stored?.domains ?? []
      return domainsModal({ ...readDomains(values, stored), domains, version, notice })
    },
  }
}

/**
 * The stored records; undefined if they can't be changed here, because the workspace is not connected or the
 * deployment sets them.
 */
export async function storedDomains(
  workspaces: Pick<Workspaces, 'status'>,
  workspace: Workspace,
): Promise<StoredDomains | undefined> {
  const status = await workspaces.status(workspace)
  if (status.state !== 'connected') return undefined
  const { domains, source } = status.connection
  return source === 'configured' ? undefined : { domains, since: status.since }
}

/** The error if the stored records are not those that the form showed. */
export function changedMeanwhile(whatToDo = 'Close'): SlackInputError {
  const message = `Another admin changed this workspace’s domains or its connection meanwhile, so nothing was saved. ${whatToDo} this and open it again.`
  return new SlackInputError(message)
}

/** Changes if the stored records change. The hash reveals nothing about them. */
export function versionOf({ domains, since }: StoredDomains): string {
  const records = domains.map(({ name, domain_name }) => [name, domain_name])
  return createHash('sha256')
    .update(JSON.stringify([since, records]))
    .digest('base64url')
}

interface TypedDomains {
  lines: Lines
  /** The ID of the record selected as the default. */
  selected?: string | undefined
}

interface DomainsModal extends WithNotice, TypedDomains {
  /** The stored records, which can be selected as the default. The current default is first. */
  domains: readonly DomainRecord[]
  /** Identifies the stored records, so that a change is noticed when the form is saved (`versionOf`). */
  version: string
}

function domainsModal({ domains, version, lines, selected, notice }: DomainsModal): ModalView {
  return formModal({
    callbackId: VIEWS.settingsDomains,
    title: FIELD_LABELS.domains,
    close: 'Back',
    metadata: version,
    notice,
    blocks: [
      ...defaultDomainInput(
        domains,
        selected,
        'If you remove its line below, the first line becomes the default. A domain that you add can be selected here after saving.',
      ),
      linesInput('domains', lines, {
        required: true,
        placeholder: 'dom_123 go.example.com',
        hint: 'One per line: the domain record’s name (its ID), a space and its hostname. Removing a line changes no existing link.',
      }),
    ],
  })
}

/** The menu of the default domain; nothing if there is only one domain. The first is selected if no other one is. */
export function defaultDomainInput(
  domains: readonly DomainRecord[],
  selected: string | undefined,
  hint?: string,
): InputBlock[] {
  if (domains.length < 2) return []
  const options = domains.map(({ name, domain_name }) => option(domain_name, name))
  const name = (domains.find((domain) => domain.name === selected) ?? domains[0])?.name
  return [choiceInput('default_domain', options, name, { optional: false, hint })]
}

function readDomains(values: FormValues, stored: StoredDomains | undefined): TypedDomains {
  return {
    lines: typedLines(values, 'domains', domainLines(stored?.domains ?? [])),
    selected: selectedOption(values, 'default_domain'),
  }
}

/**
 * The records, with the selected one first. If its line was removed, the first line is the default.
 *
 * @throws SlackInputError with each issue at its input
 */
export function checkDomains({ lines, selected }: TypedDomains): Domains {
  const issues: FieldError[] = []
  const domains = parseDomains(lines, issues)
  if (!domains) throw new SlackInputError(issues)
  const first = domains.find(({ name }) => name === selected) ?? domains[0]
  return [first, ...domains.filter((domain) => domain !== first)]
}

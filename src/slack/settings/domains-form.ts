import { createHash } from 'node:crypto'
import type { InputBlock, ModalView } from '@slack/types'
import type { DomainRecord, Domains } from '../../workspaces/connection.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { StoredDomains, Workspaces } from '../../workspaces/workspaces.ts'
import { option } from '../block-kit/elements.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'
import { choiceInput, formModal } from '../block-kit/inputs.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { noticeModal } from '../block-kit/notices.ts'
import { COMMAND, VIEWS } from '../ids.ts'
import { SlackInputError, type FieldError } from '../platform/field-errors.ts'
import { selectedOption, type FormValues } from '../platform/form-values.ts'
import { fitsInput, linesInput, typedLines, type Line, type SettingsForm } from './settings-form.ts'

/**
 * The workspace's domain records, which are stored in its connection, beside the key. The form contains
 * all of them, so it is saved only over the records that it showed: meanwhile, another admin may have
 * added some, or connected the workspace with a key that has others.
 */
export function createDomainsForm(workspaces: Workspaces): SettingsForm {
  return {
    async build({ workspace }) {
      const stored = await storedDomains(workspaces, workspace)
      if (stored && fitsInput(domainLines(stored.domains))) return domainsModal(stored)
      return noticeModal(
        'Domains',
        stored
          ? `This workspace has more domains than fit in a form. If the link service can’t be reached right now, try again later and choose from its list. Otherwise, type \`${COMMAND} connect\` and enter the domains that you want.`
          : `Domains belong to the workspace’s connection. To connect it, type \`${COMMAND} connect\`.`,
      )
    },
    async save({ workspace, key }, values) {
      const domains = readDomains(values)
      const isUnchanged = (stored: StoredDomains): boolean => versionOf(stored) === key
      if (!(await workspaces.setDomains(workspace.id, domains, isUnchanged))) {
        throw changedMeanwhile('Copy your lines, close')
      }
      return undefined
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

function domainsModal(stored: StoredDomains): ModalView {
  const { domains } = stored
  return formModal({
    callbackId: VIEWS.settingsDomains,
    title: FIELD_LABELS.domains,
    close: 'Back',
    metadata: versionOf(stored),
    blocks: [
      ...defaultDomainInput(
        domains,
        undefined,
        'If you remove its line below, the first line becomes the default. A domain that you add can be selected here after saving.',
      ),
      linesInput('domains', domainLines(domains), {
        optional: false,
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

/**
 * The records, with the selected one first. If its line was removed, the first line is the default.
 *
 * @throws SlackInputError with each issue at its input
 */
function readDomains(values: FormValues): Domains {
  const issues: FieldError[] = []
  const domains = parseDomains(typedLines(values, 'domains'), issues)
  if (!domains) throw new SlackInputError(issues)
  const selected = selectedOption(values, 'default_domain')
  const first = domains.find(({ name }) => name === selected) ?? domains[0]
  return [first, ...domains.filter((domain) => domain !== first)]
}

/** The lines of domain records, as `parseDomains` reads them. */
export function domainLines(domains: readonly DomainRecord[]): string[] {
  return domains.map(({ name, domain_name }) => `${name} ${domain_name}`)
}

/**
 * Parses domain records, one per line.
 *
 * @param issues receives each issue
 * @returns undefined if there is an issue
 */
export function parseDomains(lines: readonly Line[], issues: FieldError[]): Domains | undefined {
  const before = issues.length
  const seen = new Map<string, Line>()
  const domains = lines.flatMap((line): DomainRecord[] => {
    const record = parseLine(line, issues)
    if (!record) return []
    const earlier = seen.get(record.name)
    if (earlier) {
      const message = `the ID “${record.name}” is already in line ${earlier.number}. Remove one.`
      addIssue(issues, line, message)
    }
    seen.set(record.name, line)
    return [record]
  })
  if (domains.length > LIMITS.selectOptions) {
    const message = `Slack’s menus hold at most ${LIMITS.selectOptions} domains, but there are ${domains.length}. Remove some.`
    issues.push({ field: 'domains', message })
  }
  const [first, ...rest] = domains
  if (!first && issues.length === before) {
    issues.push({ field: 'domains', message: 'Enter at least one domain.' })
  }
  return first && issues.length === before ? [first, ...rest] : undefined
}

function parseLine(line: Line, issues: FieldError[]): DomainRecord | undefined {
  const [name, hostname, ...more] = line.text.split(/[\s,]+/)
  const domainName = hostname && parseHost(hostname)
  if (!name || !domainName || more.length > 0) {
    const message =
      'write the record’s ID, a space and its hostname, like “dom_123 go.example.com”.'
    addIssue(issues, line, message)
    return undefined
  }
  if (name.length > LIMITS.optionValue) {
    const message = `the ID is longer than Slack’s menus allow (${LIMITS.optionValue} characters).`
    addIssue(issues, line, message)
  }
  return { name, domain_name: domainName }
}

function addIssue(issues: FieldError[], { number }: Line, message: string): void {
  issues.push({ field: 'domains', message: `Line ${number}: ${message}` })
}

/** A hostname as URLs write it, with its port if it has one. Users also paste whole URLs. */
function parseHost(text: string): string | undefined {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  return url && /[.:]|^localhost$/.test(url.hostname) && !url.username ? url.host : undefined
}

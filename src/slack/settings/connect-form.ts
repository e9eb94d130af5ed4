import type { SectionBlock } from '@slack/types'
import type { DomainRecord, Domains } from '../../workspaces/connection.ts'
import { button, context, LIMITS, present, section } from '../block-kit/elements.ts'
import { formModal, textInput } from '../block-kit/inputs.ts'
import { bold, escape } from '../block-kit/mrkdwn.ts'
import { ACTIONS, VIEWS } from '../ids.ts'
import { SlackInputError, type FieldError } from '../platform/field-errors.ts'
import { typedText, type FormValues } from '../platform/form-values.ts'
import { linesInput, typedLines, type SettingsForm } from './settings-form.ts'

export const buildConnectForm: SettingsForm['build'] = async (
  { serviceUrl, serviceKind, workspaces },
  workspace,
) => {
  const status = await workspaces.status(workspace)
  const current = status.state === 'connected' ? status.connection : undefined
  // An admin can leave the key empty to keep the current one.
  const keepsKey = current?.source === 'connected'
  // Backhalf can create a key itself.
  const needsNoKey = current ? current.source === 'provisioned' : workspaces.connectsAutomatically
  const domainLines =
    current?.domains.map(({ name, domain_name }) => `${name} ${domain_name}`) ?? []
  const unreadable = `The saved key can’t be read anymore.${needsNoKey ? '' : ' Please enter it again.'}`
  const service = `${serviceKind?.label ?? 'the link service'} at ${bold(serviceUrl)}`
  return formModal({
    callbackId: VIEWS.connect,
    title: 'Connect Backhalf',
    submit: 'Connect',
    notice: status.state === 'unreadable' ? [unreadable] : [],
    blocks: present([
      needsNoKey && connectWithoutKey(current !== undefined),
      section(
        current
          ? `This workspace uses ${service} with the key ending in \`${escape(current.apiKey.slice(-4))}\`. A new key replaces it.`
          : `${needsNoKey ? 'Or enter' : 'Enter'} an API key for ${service}. It is stored encrypted.`,
      ),
      textInput('api_key', undefined, {
        max_length: 500,
        focus_on_load: true,
        optional: keepsKey,
        hint: `Backhalf tries the key before saving it, and never shows it again.${keepsKey ? ' Leave this empty to keep the current key.' : ''}`,
      }),
      !serviceKind &&
        linesInput('domains', domainLines, {
          placeholder: 'dom_123 go.example.com',
          hint: 'Leave this empty to choose from the link service’s list, if it has one. Otherwise, enter one per line: the domain record’s name (its ID), a space and its hostname. The first is the default.',
        }),
      context(serviceKind?.keyHint ?? 'The person who runs the link service can give you both.'),
    ]),
  })
}

/** Backhalf creates a key for its own link service, and never shows it. */
function connectWithoutKey(hasKey: boolean): SectionBlock {
  return hasKey
    ? section(
        '*You don’t need a key of your own.* Backhalf created the current one. If it no longer works, Backhalf can create another.',
        button('Get a new key', ACTIONS.connectAgain),
      )
    : section(
        '*You don’t need a key.* Backhalf can connect this workspace by itself.',
        button('Connect again', ACTIONS.connectAgain, { style: 'primary' }),
      )
}

export interface ConnectInput {
  apiKey: string | undefined // undefined to keep the current key
  domains: Domains | undefined
}

/** @throws SlackInputError whose issues never contain the key */
export function parseConnectForm(values: FormValues): ConnectInput {
  const issues: FieldError[] = []
  const apiKey = typedText(values, 'api_key') || undefined
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    issues.push({
      field: 'api_key',
      message:
        'An API key contains only letters, digits and symbols, and no spaces. Copy all of it.',
    })
  }
  const [first, ...rest] = parseDomains(values, issues)
  if (issues.length > 0) throw new SlackInputError(issues)
  return { apiKey, domains: first && [first, ...rest] }
}

function parseDomains(values: FormValues, issues: FieldError[]): DomainRecord[] {
  const domains: DomainRecord[] = []
  const lineOf = new Map<string, number>()
  for (const { number, text } of typedLines(values, 'domains')) {
    const addIssue = (problem: string) =>
      issues.push({ field: 'domains', message: `Line ${number}: ${problem}` })
    const [name, hostname = '', ...more] = text.split(/[\s,]+/)
    const domainName = parseHost(hostname)
    if (!name || !domainName || more.length > 0) {
      addIssue('write the record’s ID, a space and its hostname, like “dom_123 go.example.com”.')
      continue
    }
    if (name.length > LIMITS.optionValue) {
      addIssue(`the ID is longer than Slack’s menus allow (${LIMITS.optionValue} characters).`)
    }
    const earlier = lineOf.get(name)
    if (earlier !== undefined) {
      addIssue(`the ID “${name}” is already in line ${earlier}. Remove one.`)
    }
    lineOf.set(name, number)
    domains.push({ name, domain_name: domainName })
  }
  if (domains.length > LIMITS.selectOptions) {
    const message = `Slack’s menus hold at most ${LIMITS.selectOptions} domains, but there are ${domains.length}. Remove some.`
    issues.push({ field: 'domains', message })
  }
  return domains
}

/** Parses a hostname or a URL: `https://go.example.com:8443/x` → `go.example.com:8443`. */
function parseHost(text: string): string | undefined {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  return url && /[.:]|^localhost$/.test(url.hostname) && !url.username ? url.host : undefined
}

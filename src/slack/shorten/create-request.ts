import { hostNames, isAllowedHost } from '../../contract/allowed-hosts.ts'
import {
  countCharacters,
  GROUP_FIELDS,
  GROUP_FLAGS,
  someFields,
  FIELD_SPECS,
  UTM_PARAMETERS,
  type FieldGroup,
  type LinkField,
} from '../../contract/link-fields.ts'
import type { CreateRequest } from '../../contract/link-requests.ts'
import { SPECIFICATION, type Capabilities } from '../../port/capabilities.ts'
import { tagsError } from '../../contract/tags.ts'
import type { DomainRecord } from '../../workspaces/connection.ts'
import type {
  AllowedDestinations,
  NamingRules,
  Settings,
  UtmTemplate,
} from '../../workspaces/settings.ts'
import {
  applyNaming,
  disallowedValues,
  isSameTemplateName,
  filledUtm,
} from '../../workspaces/utm.ts'
import { cut } from '../block-kit/mrkdwn.ts'
import { COMMAND } from '../ids.ts'
import {
  colorError,
  MAX_SHOWN_VALUE,
  namingError,
  orList,
  SlackInputError,
  type FieldError,
} from '../platform/field-errors.ts'
import { indexOfDomain } from './menus.ts'
import { DRAFT_FIELDS, DRAFT_TEXTS, IMPLIED_GROUPS, type Draft } from './draft.ts'
import { parseExpiry } from './expiry.ts'

export interface CompletedDraft extends Omit<Draft, 'template'> {
  qr_code_enabled: boolean
}

/** A color that the user typed asks for a QR code. */
export function applyDefaults(draft: Draft, { qr, templates }: Settings): CompletedDraft {
  const { template: name, ...typed } = draft
  const color = typed.qr_code_color ?? qr.color
  const template = name !== undefined && findTemplate(name, templates)
  return {
    ...(template && templateValues(template)),
    ...typed,
    qr_code_enabled: typed.qr_code_enabled ?? (typed.qr_code_color !== undefined || qr.enabled),
    ...(color && { qr_code_color: color }),
  }
}

export function completeDraft(
  typed: Draft,
  settings: Settings,
  capabilities: Capabilities | undefined,
): CompletedDraft {
  const completed = applyDefaults(typed, settings)
  const draft = { ...completed, ...applyNaming(completed, settings.naming) }
  // A template can be older than the connection to a service without tags.
  const mayHaveTags = typed.tags !== undefined || !capabilities
  if (!mayHaveTags && !capabilities.fields.includes('tags')) delete draft.tags
  return draft
}

export function templateValues({ values, tags }: UtmTemplate): Draft {
  return { ...filledUtm(values), ...(tags && { tags }) }
}

function findTemplate(name: string, templates: readonly UtmTemplate[]): UtmTemplate | undefined {
  return templates.find((template) => isSameTemplateName(template.name, name))
}

export function templateIssues(
  { template: name }: Draft,
  { templates }: Pick<Settings, 'templates'>,
): FieldError[] {
  if (name === undefined || findTemplate(name, templates)) return []
  const advice =
    templates.length > 0
      ? `Use ${orList(templates.map((template) => template.name))}.`
      : `This workspace has none yet. An admin can add some with ${COMMAND} settings.`
  const message = `There is no template “${cut(name, MAX_SHOWN_VALUE)}”. ${advice}`
  return [{ field: 'template', message }]
}

export function isFilled(draft: Draft, group: (typeof IMPLIED_GROUPS)[number]): boolean {
  return GROUP_FIELDS[group].some((name) => draft[name])
}

/** The app draws QR codes itself, so links can always have one. */
export function offeredFields({ fields }: Capabilities): readonly LinkField[] {
  return [...fields, 'qr_code_enabled', 'qr_code_color']
}

/** The bytes of the preview image are left out, because Slack still holds them. */
export type CheckedRequest = Omit<CreateRequest, 'preview_image'> & { domain: string }

/** If approvers decide, no destination is refused. */
export const refusedDestinations = ({ destinations }: Settings): AllowedDestinations | undefined =>
  destinations?.approvers === undefined ? destinations : undefined

export interface DraftRules {
  domains: readonly DomainRecord[]
  naming: NamingRules
  /** Undefined if links can lead anywhere, or if approvers decide. */
  destinations?: AllowedDestinations | undefined
  capabilities: Capabilities | undefined
  /** Checks limits that only our own service is known to have, even if there is no other issue. */
  checksLimits?: boolean
  found?: readonly FieldError[]
  now: number
}

/**
 * Refuses only what every service would refuse; the service decides the rest. If the user has to correct something
 * anyway, the limits of a service that has our tags are checked, too.
 */
export function readDraft(
  draft: CompletedDraft,
  {
    domains,
    naming,
    destinations,
    capabilities,
    found = [],
    now,
    checksLimits = false,
  }: DraftRules,
): { request: CheckedRequest; issues: FieldError[] } {
  const { fields: offered } = capabilities ?? SPECIFICATION
  const issues = [...found]
  const destination = checkDestination(draft.destination_url, issues)
  if (destinations && !issues.some(({ field }) => field === 'destination_url')) {
    issues.push(...destinationIssues(destination, destinations))
  }
  const domain = checkDomain(draft.domain, domains, issues)
  checkColor(draft, issues)
  checkUtm(draft, destination, issues)
  checkOffered(draft, capabilities, issues)
  checkBackHalf(draft, capabilities, issues)
  const badTags = offered.includes('tags') ? tagsError(draft.tags ?? '') : undefined
  if (badTags !== undefined) issues.push({ field: 'tags', message: badTags })
  const expiresAt = offered.includes('expires_at')
    ? checkExpiry(draft.expires_at, now, issues)
    : undefined
  issues.push(...disallowedValues(draft, naming).map(namingError))
  if ((checksLimits || issues.length > 0) && offered.includes('tags')) checkLimits(draft, issues)

  const { qr_code_color: color, ...texts } = someFields(
    DRAFT_TEXTS,
    (name) => draft[name] || undefined,
  )
  const groups = IMPLIED_GROUPS.filter((group) => isFilled(draft, group))
  const request = {
    ...texts,
    ...someFields(
      groups.map((group) => GROUP_FLAGS[group]),
      () => true,
    ),
    destination_url: destination,
    domain,
    qr_code_enabled: draft.qr_code_enabled,
    ...(draft.qr_code_enabled && color && { qr_code_color: color }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  }
  return { request, issues }
}

export function checkDraft(draft: CompletedDraft, rules: DraftRules): CheckedRequest {
  const { request, issues } = readDraft(draft, rules)
  if (issues.length > 0) throw new SlackInputError(issues)
  return request
}

export const collectIssues = <T>(found: FieldError[], work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (!(error instanceof SlackInputError)) throw error
    found.push(...error.issues)
    return undefined
  })

function checkLimits(draft: Draft, issues: FieldError[]): void {
  for (const field of DRAFT_TEXTS) {
    const { kind, maxLength = Infinity, pattern = '' } = FIELD_SPECS[field]
    const text = draft[field]
    if (!text) continue
    if (['text', 'lines'].includes(kind) && countCharacters(text) > maxLength) {
      issues.push({ field, message: `Use at most ${maxLength} characters.` })
    } else if (!new RegExp(pattern).test(text)) {
      issues.push({ field, message: 'Use at most 100 characters: letters, digits, - and _.' })
    }
  }
}

const LACKING: { [Name in FieldGroup | LinkField]?: string } = {
  expires_at: 'doesn’t let links expire',
  tags: 'has no tags',
  title: 'has no titles',
  preview: 'has no custom previews',
  utm: 'has no UTM parameters',
}

function checkOffered(
  draft: Draft,
  capabilities: Capabilities | undefined,
  issues: FieldError[],
): void {
  for (const field of DRAFT_FIELDS) {
    if (!draft[field] || offeredFields(capabilities ?? SPECIFICATION).includes(field)) continue
    const message = !capabilities
      ? 'Backhalf couldn’t find out whether the link service offers this. Try again in a minute, or leave this out.'
      : `This workspace’s link service ${LACKING[FIELD_SPECS[field].group ?? field] ?? 'doesn’t have this'}. Leave this out.`
    issues.push({ field, message })
  }
}

/** A service might silently change a back-half that it doesn't allow. */
function checkBackHalf(
  { back_half: text = '' }: Draft,
  capabilities: Capabilities | undefined,
  issues: FieldError[],
): void {
  const { pattern = '', allows, maxLength = Infinity } = capabilities?.backHalf ?? {}
  if (text.length <= maxLength && new RegExp(pattern).test(text)) return
  const length = maxLength === Infinity ? '' : `at most ${maxLength} characters: `
  const message = `This workspace’s link service allows ${length}${allows ?? 'no such back-half'}.`
  issues.push({ field: 'back_half', message })
}

function checkExpiry(
  typed: string | undefined,
  now: number,
  issues: FieldError[],
): string | undefined {
  if (!typed) return undefined
  const read = parseExpiry(typed, now)
  if ('expiresAt' in read) return new Date(read.expiresAt).toISOString()
  issues.push({ field: 'expires_at', message: read.message })
  return undefined
}

/** Users leave out `https://`, or copy invisible characters. Text that looks like a host is read as one. */
function checkDestination(typed: string | undefined, issues: FieldError[]): string {
  const field = 'destination_url'
  const text = typed?.replace(/^[\s\p{Cf}]+|(?<![\s\p{Cf}])[\s\p{Cf}]+$/gu, '')
  if (!text) {
    issues.push({ field, message: 'Enter the link that you want to shorten.' })
    return ''
  }
  const full =
    /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/:]+:\d/.test(text)
      ? text
      : `https://${text.replace(/^\/\//, '')}`
  const url = URL.parse(full)
  const isHost = url && (/[.:]/.test(url.hostname) || url.hostname === 'localhost')
  if (!isHost) {
    const shown = cut(text, MAX_SHOWN_VALUE)
    const message = `“${shown}” isn’t a link. Write it like https://example.com/page.`
    issues.push({ field, message })
  } else if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    issues.push({ field, message: 'Only http:// and https:// links can be shortened.' })
  }
  return full
}

function destinationIssues(
  destination: string,
  { hosts, approvers }: AllowedDestinations,
): FieldError[] {
  if (isAllowedHost(destination, hosts)) return []
  const shown = cut(URL.parse(destination)?.hostname ?? '', MAX_SHOWN_VALUE)
  const next =
    approvers === undefined
      ? `An admin can allow it with ${COMMAND} settings.`
      : 'To ask for approval, create a new link with the form or the command.'
  const message = `Links in this workspace can’t lead to ${shown}, only to ${hostNames(hosts)} and subdomains. ${next}`
  return [{ field: 'destination_url', message }]
}

function checkDomain(
  typed: string | undefined,
  domains: readonly DomainRecord[],
  issues: FieldError[],
): string {
  const found = typed ? domains[indexOfDomain(typed, domains)] : domains[0]
  if (found) return found.name
  const known = orList(domains.map(({ domain_name }) => domain_name))
  const shown = cut(typed ?? '', MAX_SHOWN_VALUE)
  const message = `“${shown}” isn’t one of this workspace’s domains. Use ${known}.`
  issues.push({ field: 'domain', message })
  return ''
}

function checkColor(
  { qr_code_enabled, qr_code_color: color }: CompletedDraft,
  issues: FieldError[],
): void {
  if (!qr_code_enabled || !color) return
  const message = colorError(color)
  if (message) issues.push({ field: 'qr_code_color', message })
}

/** A redirect keeps the parameters that the destination has, so a different value would be lost. */
function checkUtm(draft: Draft, destination: string, issues: FieldError[]): void {
  const existing = URL.parse(destination)?.searchParams
  for (const field of UTM_PARAMETERS) {
    const [wanted, present] = [draft[field], existing?.get(field)]
    if (wanted && typeof present === 'string' && wanted !== present) {
      const shown = cut(present, MAX_SHOWN_VALUE)
      const message = `The link already has ${field}=${shown}, which takes precedence. Remove it from the link, or leave this empty.`
      issues.push({ field, message })
    }
  }
}

import { hostNames, isAllowedHost } from '../../contract/allowed-hosts.ts'
import { someFields } from '../../contract/field-spec.ts'
import {
  countCharacters,
  FIELD_SPECS,
  GROUP_FLAGS,
  type LinkField,
  UTM_PARAMETERS,
} from '../../contract/link-fields.ts'
import type { CreateRequest } from '../../contract/link-requests.ts'
import { tagsError } from '../../contract/tags.ts'
import { type Capabilities, SPECIFICATION } from '../../port/capabilities.ts'
import type { DomainRecord } from '../../workspaces/connection.ts'
import type { AllowedDestinations, NamingRules, Settings } from '../../workspaces/settings.ts'
import { disallowedValues } from '../../workspaces/utm.ts'
import { COMMAND } from '../ids.ts'
import {
  colorError,
  cutValue,
  errorsAt,
  type FieldError,
  namingError,
  orList,
  SlackInputError,
} from '../platform/field-errors.ts'
import {
  type Draft,
  DRAFT_FIELDS,
  DRAFT_TEXTS,
  findDomain,
  IMPLIED_GROUPS,
  isFilled,
} from './draft.ts'
import { parseExpiry } from './expiry.ts'

/** Reads a link as users type it: without `https://`, or with invisible characters that they copied along. */
function readUrl(typed = ''): { url: string; problem?: string } {
  const text = typed.replace(/^[\s\p{Cf}]+|(?<![\s\p{Cf}])[\s\p{Cf}]+$/gu, '')
  if (!text) return { url: '', problem: 'Enter the link that you want to shorten.' }
  const isHostAndPort = /^[^/:]+:\d/.test(text) // `example.com:8080/page` has no scheme.
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(text) && !isHostAndPort
  const url = hasScheme ? text : `https://${text.replace(/^\/\//, '')}`
  const { hostname = '', protocol = '' } = URL.parse(url) ?? {}
  if (!/[.:]|^localhost$/.test(hostname)) {
    const problem = `“${cutValue(text)}” isn’t a link. Write it like https://example.com/page.`
    return { url, problem }
  }
  if (/^https?:$/.test(protocol)) return { url }
  return { url, problem: 'Only http:// and https:// links can be shortened.' }
}

function hostError(url: string, { hosts, approvers }: AllowedDestinations): string | undefined {
  if (isAllowedHost(url, hosts)) return undefined
  const shown = cutValue(URL.parse(url)?.hostname ?? '')
  const next =
    approvers === undefined
      ? `An admin can allow it with ${COMMAND} settings.`
      : 'To ask for approval, create a new link with the form or the command.'
  return `Links in this workspace can’t lead to ${shown}, only to ${hostNames(hosts)} and subdomains. ${next}`
}

function domainError(typed = '', domains: readonly DomainRecord[]): string {
  const known = orList(domains.map(({ domain_name }) => domain_name))
  return `“${cutValue(typed)}” isn’t one of this workspace’s domains. Use ${known}.`
}

/** Finds UTM values that would have no effect, because the destination has another value, which takes precedence. */
function utmErrors(draft: Draft, url: string): FieldError[] {
  const query = URL.parse(url)?.searchParams
  return UTM_PARAMETERS.flatMap((field) => {
    const typedValue = draft[field]
    const valueInUrl = query?.get(field) ?? undefined
    if (!typedValue || valueInUrl === undefined || typedValue === valueInUrl) return []
    const message = `The link already has ${field}=${cutValue(valueInUrl)}, which takes precedence. Remove it from the link, or leave this empty.`
    return [{ field, message }]
  })
}

/** The fields that a form offers. QR codes are always among them, because the app itself draws them. */
export function offeredFields({ fields }: Capabilities): readonly LinkField[] {
  return [...fields, 'qr_code_enabled', 'qr_code_color']
}

function lackingFields(draft: Draft, capabilities: Capabilities | undefined): FieldError[] {
  const offered = offeredFields(capabilities ?? SPECIFICATION)
  const message = capabilities
    ? 'This workspace’s link service doesn’t offer this. Leave this out.'
    : 'Backhalf couldn’t find out whether the link service offers this. Try again in a minute, or leave this out.'
  const lacking = DRAFT_FIELDS.filter((field) => draft[field] && !offered.includes(field))
  return lacking.map((field) => ({ field, message }))
}

/** Checks the service's rule for back-halves, because some services silently change a back-half that breaks it. */
function backHalfError(text = '', capabilities?: Capabilities): string | undefined {
  const { pattern = '', allows, maxLength = Infinity } = capabilities?.backHalf ?? {}
  if (text.length <= maxLength && new RegExp(pattern).test(text)) return undefined
  const length = maxLength === Infinity ? '' : `at most ${maxLength} characters: `
  return `This workspace’s link service allows ${length}${allows ?? 'no such back-half'}.`
}

function limitErrors(draft: Draft): FieldError[] {
  return DRAFT_TEXTS.flatMap((field): FieldError[] => {
    const { kind, maxLength = Infinity, pattern = '' } = FIELD_SPECS[field]
    const text = draft[field]
    if (!text) return []
    if (['text', 'lines'].includes(kind) && countCharacters(text) > maxLength) {
      return [{ field, message: `Use at most ${maxLength} characters.` }]
    }
    if (new RegExp(pattern).test(text)) return []
    return [{ field, message: 'Use at most 100 characters: letters, digits, - and _.' }]
  })
}

/** A valid request to create a link. Only its preview image is missing, which is still to be downloaded from Slack. */
export type CheckedRequest = Omit<CreateRequest, 'preview_image'> & { domain: string }

/** @returns the allowed destinations; undefined if all are, or if approvers decide about the others */
export const enforcedDestinations = ({
  destinations,
}: Settings): AllowedDestinations | undefined =>
  destinations?.approvers === undefined ? destinations : undefined

export interface DraftRules {
  domains: readonly DomainRecord[]
  naming: NamingRules
  destinations?: AllowedDestinations | undefined // Absent if links can lead anywhere.
  capabilities: Capabilities | undefined // Undefined if it isn't known what the link service can do.
  /** Checks the limits of our own service even if there is no other issue. Other services might have other limits. */
  checksLimits?: boolean
  knownIssues?: readonly FieldError[] // Errors that were found before. They come first among the issues.
  now: number
}

/**
 * Turns a draft into a request, and finds all errors in it. Only values that every link service would refuse are
 * errors. But if the user has to correct something anyway, the limits of our own service are checked, too, so that the
 * user isn't sent back a second time.
 */
export function readDraft(
  draft: Draft,
  rules: DraftRules,
): { request: CheckedRequest; issues: FieldError[] } {
  const { domains, destinations, capabilities, knownIssues = [], checksLimits = false } = rules
  const { fields: offered } = capabilities ?? SPECIFICATION
  const { domain: domainName, expires_at: end, qr_code_enabled: hasQr = false } = draft
  const { url, problem } = readUrl(draft.destination_url)
  const domain = domainName ? findDomain(domainName, domains) : domains[0]
  const expiry = end && offered.includes('expires_at') ? parseExpiry(end, rules.now) : {}
  const issues = [...knownIssues, ...errorsAt('destination_url', problem)]
  if (destinations && !issues.some(({ field }) => field === 'destination_url')) {
    issues.push(...errorsAt('destination_url', hostError(url, destinations)))
  }
  issues.push(
    ...errorsAt('domain', domain ? undefined : domainError(domainName, domains)),
    ...errorsAt('qr_code_color', hasQr ? colorError(draft.qr_code_color) : undefined),
    ...utmErrors(draft, url),
    ...lackingFields(draft, capabilities),
    ...errorsAt('back_half', backHalfError(draft.back_half, capabilities)),
    ...errorsAt('tags', offered.includes('tags') ? tagsError(draft.tags ?? '') : undefined),
    ...errorsAt('expires_at', expiry.message),
    ...disallowedValues(draft, rules.naming).map(namingError),
  )
  if ((checksLimits || issues.length > 0) && offered.includes('tags')) {
    issues.push(...limitErrors(draft))
  }
  const { qr_code_color: color, ...texts } = someFields(
    DRAFT_TEXTS,
    (name) => draft[name] || undefined,
  )
  const groups = IMPLIED_GROUPS.filter((group) => isFilled(draft, group))
  const flags = groups.map((group) => GROUP_FLAGS[group])
  const request = {
    ...texts,
    ...someFields(flags, () => true),
    destination_url: url,
    domain: domain?.name ?? '',
    qr_code_enabled: hasQr,
    ...(hasQr && color && { qr_code_color: color }),
    ...(expiry.expiresAt && { expires_at: new Date(expiry.expiresAt).toISOString() }),
  }
  return { request, issues }
}

export function checkDraft(draft: Draft, rules: DraftRules): CheckedRequest {
  const { request, issues } = readDraft(draft, rules)
  if (issues.length > 0) throw new SlackInputError(issues)
  return request
}

/** Waits for `work`. Errors in the user's input are added to `issues` instead of thrown. */
export const collectIssues = <T>(issues: FieldError[], work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (!(error instanceof SlackInputError)) throw error
    issues.push(...error.issues)
    return undefined
  })

import { GROUP_FLAGS, someFields } from '../../contract/link-fields.ts'
import type { CreateRequest } from '../../contract/link-requests.ts'
import { SPECIFICATION, type Capabilities } from '../../port/capabilities.ts'
import { tagsError } from '../../contract/tags.ts'
import type { DomainRecord } from '../../workspaces/connection.ts'
import type { AllowedDestinations, NamingRules, Settings } from '../../workspaces/settings.ts'
import { disallowedValues } from '../../workspaces/utm.ts'
import {
  colorError,
  errorsAt,
  namingError,
  SlackInputError,
  type FieldError,
} from '../platform/field-errors.ts'
import {
  backHalfError,
  domainError,
  hostError,
  lackingFields,
  limitErrors,
  readUrl,
  utmErrors,
} from './check-fields.ts'
import { isFilled, type CompletedDraft } from './complete-draft.ts'
import { DRAFT_TEXTS, IMPLIED_GROUPS } from './draft.ts'
import { parseExpiry } from './expiry.ts'
import { indexOfDomain } from './menus.ts'

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
  /** Checks the limits of our own service even if there is no other issue. Other services might have other limits. */
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
  rules: DraftRules,
): { request: CheckedRequest; issues: FieldError[] } {
  const { domains, destinations, capabilities, found = [], checksLimits = false } = rules
  const { fields: offered } = capabilities ?? SPECIFICATION
  const { domain: named, expires_at: end, qr_code_enabled: hasQr } = draft
  const { url, problem } = readUrl(draft.destination_url)
  const domain = named ? domains[indexOfDomain(named, domains)] : domains[0]
  const expiry = end && offered.includes('expires_at') ? parseExpiry(end, rules.now) : {}
  const issues = [...found, ...errorsAt('destination_url', problem)]
  if (destinations && !issues.some(({ field }) => field === 'destination_url')) {
    issues.push(...errorsAt('destination_url', hostError(url, destinations)))
  }
  issues.push(
    ...errorsAt('domain', domain ? undefined : domainError(named, domains)),
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
  const filled = someFields(DRAFT_TEXTS, (name) => draft[name] || undefined)
  const { qr_code_color: color, ...texts } = filled
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

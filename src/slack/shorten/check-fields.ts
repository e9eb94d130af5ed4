import { hostNames, isAllowedHost } from '../../contract/allowed-hosts.ts'
import {
  countCharacters,
  FIELD_SPECS,
  UTM_PARAMETERS,
  type FieldGroup,
  type LinkField,
} from '../../contract/link-fields.ts'
import { SPECIFICATION, type Capabilities } from '../../port/capabilities.ts'
import type { DomainRecord } from '../../workspaces/connection.ts'
import type { AllowedDestinations } from '../../workspaces/settings.ts'
import { cut } from '../block-kit/mrkdwn.ts'
import { COMMAND } from '../ids.ts'
import { MAX_SHOWN_VALUE, orList, type FieldError } from '../platform/field-errors.ts'
import { DRAFT_FIELDS, DRAFT_TEXTS, type Draft } from './draft.ts'

/** Reads a link as users type it: without `https://`, or with invisible characters that they copied along. */
export function readUrl(typed = ''): { url: string; problem?: string } {
  const text = typed.replace(/^[\s\p{Cf}]+|(?<![\s\p{Cf}])[\s\p{Cf}]+$/gu, '')
  if (!text) return { url: '', problem: 'Enter the link that you want to shorten.' }
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/:]+:\d/.test(text)
  const url = hasScheme ? text : `https://${text.replace(/^\/\//, '')}`
  const { hostname = '', protocol = '' } = URL.parse(url) ?? {}
  if (!/[.:]|^localhost$/.test(hostname)) {
    const shown = cut(text, MAX_SHOWN_VALUE)
    return { url, problem: `“${shown}” isn’t a link. Write it like https://example.com/page.` }
  }
  if (/^https?:$/.test(protocol)) return { url }
  return { url, problem: 'Only http:// and https:// links can be shortened.' }
}

export function hostError(
  url: string,
  { hosts, approvers }: AllowedDestinations,
): string | undefined {
  if (isAllowedHost(url, hosts)) return undefined
  const shown = cut(URL.parse(url)?.hostname ?? '', MAX_SHOWN_VALUE)
  const next =
    approvers === undefined
      ? `An admin can allow it with ${COMMAND} settings.`
      : 'To ask for approval, create a new link with the form or the command.'
  return `Links in this workspace can’t lead to ${shown}, only to ${hostNames(hosts)} and subdomains. ${next}`
}

export function domainError(typed = '', domains: readonly DomainRecord[]): string {
  const known = orList(domains.map(({ domain_name }) => domain_name))
  return `“${cut(typed, MAX_SHOWN_VALUE)}” isn’t one of this workspace’s domains. Use ${known}.`
}

/** A redirect keeps the destination's own UTM parameters, so a different value for one of them would be lost. */
export function utmErrors(draft: Draft, url: string): FieldError[] {
  const existing = URL.parse(url)?.searchParams
  return UTM_PARAMETERS.flatMap((field) => {
    const wanted = draft[field]
    const present = existing?.get(field)
    if (!wanted || typeof present !== 'string' || wanted === present) return []
    const shown = cut(present, MAX_SHOWN_VALUE)
    const message = `The link already has ${field}=${shown}, which takes precedence. Remove it from the link, or leave this empty.`
    return [{ field, message }]
  })
}

/** The app draws QR codes itself, so links can always have one. */
export function offeredFields({ fields }: Capabilities): readonly LinkField[] {
  return [...fields, 'qr_code_enabled', 'qr_code_color']
}

const LACKING: { [Name in FieldGroup | LinkField]?: string } = {
  expires_at: 'doesn’t let links expire',
  tags: 'has no tags',
  title: 'has no titles',
  preview: 'has no custom previews',
  utm: 'has no UTM parameters',
}

export function lackingFields(draft: Draft, capabilities: Capabilities | undefined): FieldError[] {
  const offered = offeredFields(capabilities ?? SPECIFICATION)
  return DRAFT_FIELDS.filter((field) => draft[field] && !offered.includes(field)).map((field) => {
    const message = !capabilities
      ? 'Backhalf couldn’t find out whether the link service offers this. Try again in a minute, or leave this out.'
      : `This workspace’s link service ${LACKING[FIELD_SPECS[field].group ?? field] ?? 'doesn’t have this'}. Leave this out.`
    return { field, message }
  })
}

/** The app checks this itself, because a service might silently change a back-half that it doesn't allow. */
export function backHalfError(text = '', capabilities?: Capabilities): string | undefined {
  const { pattern = '', allows, maxLength = Infinity } = capabilities?.backHalf ?? {}
  if (text.length <= maxLength && new RegExp(pattern).test(text)) return undefined
  const length = maxLength === Infinity ? '' : `at most ${maxLength} characters: `
  return `This workspace’s link service allows ${length}${allows ?? 'no such back-half'}.`
}

export function limitErrors(draft: Draft): FieldError[] {
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

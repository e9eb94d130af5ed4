import { UTM_PARAMETERS, type CreateRequest } from '../../contract/create-request.ts'
import type { DomainRecord } from '../../workspaces/connection.ts'
import type { NamingRules } from '../../workspaces/settings.ts'
import { cut } from '../blocks/limits.ts'
import { indexOfDomain } from '../blocks/link-inputs.ts'
import { utmOf } from './draft.ts'
import { namingFaults } from './naming-rules.ts'
import { oneOf } from './one-of.ts'
import { colorFault } from './qr-color.ts'
import type { SettledDraft } from './settled-draft.ts'
import { SlackInputError, type Fault } from './slack-input-error.ts'

/** A checked request, still without the preview image's bytes, which Slack holds. */
export type CheckedDraft = Omit<CreateRequest, 'preview_image'> & { domain: string }

/** Enough of what was typed to recognise it. */
const SHOWN = 80

/**
 * Checks what was typed and makes the request of it. A flag is set when any of its fields is
 * filled in. Only what every service refuses is refused here; the rest is the service's to say.
 *
 * @param domains the workspace's domain records, the default first
 * @param rules the workspace's, for UTM values
 * @throws SlackInputError with each fault at its field
 */
export function checkDraft(
  draft: SettledDraft,
  domains: readonly DomainRecord[],
  rules: NamingRules,
): CheckedDraft {
  const faults: Fault[] = []
  const destination = checkDestination(draft.destination_url, faults)
  const domain = checkDomain(draft.domain, domains, faults)
  checkColor(draft, faults)
  checkUtm(draft, destination, faults)
  faults.push(...namingFaults(draft, rules))
  if (faults.length > 0) throw new SlackInputError(faults)

  const utm = utmOf(draft)
  const preview = {
    ...(draft.preview_title && { preview_title: draft.preview_title }),
    ...(draft.preview_description && { preview_description: draft.preview_description }),
  }
  const isCustomPreview = draft.preview_image !== undefined || Object.keys(preview).length > 0
  return {
    destination_url: destination,
    domain,
    ...(draft.title && { title: draft.title }),
    ...(draft.back_half && { back_half: draft.back_half }),
    ...(Object.keys(utm).length > 0 && { utm_analytics_enabled: true, ...utm }),
    ...(isCustomPreview && { is_custom_preview: true, ...preview }),
    qr_code_enabled: draft.qr_code_enabled,
    ...(draft.qr_code_enabled && draft.qr_code_color && { qr_code_color: draft.qr_code_color }),
  }
}

/**
 * People leave `https://` away, or copy a link with what nobody sees around it; whatever looks like
 * a host then is one.
 */
function checkDestination(typed: string | undefined, faults: Fault[]): string {
  const field = 'destination_url'
  const text = typed?.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '')
  if (!text) {
    faults.push({ field, message: 'Give the link that you want to shorten.' })
    return ''
  }
  const full =
    /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/:]+:\d/.test(text)
      ? text
      : `https://${text.replace(/^\/\//, '')}`
  const url = URL.parse(full)
  if (
    !url ||
    (!url.hostname.includes('.') && url.hostname !== 'localhost' && !url.hostname.includes(':'))
  ) {
    faults.push({
      field,
      message: `“${cut(text, SHOWN)}” isn’t a link. Write it like https://example.com/page.`,
    })
  } else if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    faults.push({ field, message: 'Only http:// and https:// links can be shortened.' })
  }
  return full
}

function checkDomain(
  typed: string | undefined,
  domains: readonly DomainRecord[],
  faults: Fault[],
): string {
  const found = typed ? domains[indexOfDomain(typed, domains)] : domains[0]
  if (found) return found.name
  const known = oneOf(domains.map(({ domain_name }) => domain_name))
  faults.push({
    field: 'domain',
    message: `“${cut(typed ?? '', SHOWN)}” isn’t one of this workspace’s domains. Use ${known}.`,
  })
  return ''
}

function checkColor(
  { qr_code_enabled, qr_code_color: color }: SettledDraft,
  faults: Fault[],
): void {
  if (!qr_code_enabled || !color) return
  const message = colorFault(color)
  if (message) faults.push({ field: 'qr_code_color', message })
}

/** What the link says already wins when somebody follows it, so that a second value would be lost. */
function checkUtm(draft: SettledDraft, destination: string, faults: Fault[]): void {
  const already = URL.parse(destination)?.searchParams
  for (const field of UTM_PARAMETERS) {
    const [wanted, there] = [draft[field], already?.get(field)]
    if (wanted && there && wanted !== there) {
      const message = `The link has ${field}=${cut(there, SHOWN)} already, and that stays. Take it out of the link, or leave this empty.`
      faults.push({ field, message })
    }
  }
}

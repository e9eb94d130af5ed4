import { UTM_PARAMETERS } from '../../contract/link-fields.ts'
import type { ImageFile } from '../../contract/preview-image.ts'
import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import { dayOf } from '../store/days.ts'
import type { LinkRow } from '../store/links.ts'
import { checkColor, TEXTS, type EnteredLink } from './link-form-values.ts'
import { linkInput, type EnteredInput } from './link-maker.ts'

/** The values of the form for a link as it is. A group of empty fields takes effect once it is filled in. */
export function linkValues(link: LinkRow): Record<string, string> {
  const { domain_id, expires_at: expiresAt, qr_code_enabled: hasQrCode, qr_code_color } = link
  const isUtmOn = link.utm_analytics_enabled === 1 || !hasUtm(link)
  const isPreviewOn = link.is_custom_preview === 1 || !hasPreview(link)
  return {
    destination_url: link.destination_url,
    domain: domain_id,
    back_half: link.back_half,
    title: shownText(link.title),
    expires_at: expiresAt === null ? '' : dayOf(expiresAt),
    ...Object.fromEntries(UTM_PARAMETERS.map((name) => [name, shownText(link[name])])),
    preview_title: shownText(link.preview_title),
    preview_description: shownText(link.preview_description),
    utm_analytics_enabled: isUtmOn ? 'true' : '',
    is_custom_preview: isPreviewOn ? 'true' : '',
    qr_code_enabled: hasQrCode === 1 ? 'true' : '',
    qr_code_color: qr_code_color?.toLowerCase() ?? DEFAULT_COLOR,
  }
}

type Texts = Partial<Record<string, unknown>>

function hasUtm(values: Texts): boolean {
  return UTM_PARAMETERS.some((name) => values[name])
}

function hasPreviewTexts({
  preview_title: title,
  preview_description: description,
}: Texts): boolean {
  return Boolean(title) || Boolean(description)
}

function hasPreview(link: LinkRow): boolean {
  return hasPreviewTexts(link) || link.preview_image_type !== null
}

/** A text as browsers send it back. */
function shownText(text: string | null): string {
  return (text ?? '').replaceAll(/\r\n?/g, '\n').trim()
}

/** The fields of a link that differ from what its form showed, as the API would receive them. */
export function toChangeInput({ values, image }: EnteredLink, link: LinkRow): EnteredInput {
  const shown = linkValues(link)
  const form: Record<string, string | ImageFile> = {}
  for (const name of TEXTS) {
    const text = values[name]
    if (text === undefined || text === shown[name]) continue
    form[name] = text
  }
  const { qr_code_color: color = '', remove_image: removed } = values
  const isColored = color !== '' && color !== shown['qr_code_color']
  if (isColored) form['qr_code_color'] = color === DEFAULT_COLOR ? '' : color
  if (image) form['preview_image'] = image
  else if (removed === 'true') form['preview_image'] = ''

  const hasImage = image !== undefined || (link.preview_image_type !== null && removed !== 'true')
  const groups = {
    utm_analytics_enabled: [hasUtm(values), hasUtm(link)],
    is_custom_preview: [hasImage || hasPreviewTexts(values), hasPreview(link)],
    qr_code_enabled: [true, true],
  } as const
  for (const [name, [isFilled, wasFilled]] of Object.entries(groups)) {
    const wasOn = link[name as keyof typeof groups] === 1
    // A group that was on but empty stays as it is.
    const isOn = values[name] === 'true' && (isFilled || (wasOn && !wasFilled))
    if (isOn !== wasOn) form[name] = String(isOn)
  }
  const input = linkInput(form)
  if (form['qr_code_color']) checkColor(input, color)
  return input
}

/** What was entered into the form of a link that has changed meanwhile. */
export interface MergedLink {
  values: Record<string, string>
  /** By the fields that were changed here and elsewhere, to different values. */
  conflicts: Record<string, string>
  /** Whether anything except the image differs from the link as it is now. */
  differs: boolean
}

/** Takes over what changed meanwhile, unless it was changed in the form as well. */
export function mergeEntered(
  entered: Record<string, string>,
  before: LinkRow,
  current: LinkRow,
): MergedLink {
  const [old, now] = [linkValues(before), linkValues(current)]
  const values = { ...entered }
  const conflicts: Record<string, string> = {}
  for (const [name, text] of Object.entries(now)) {
    const typed = entered[name] ?? ''
    if (text === old[name] || typed === text) continue
    if (typed === old[name]) values[name] = text
    else
      conflicts[name] = text
        ? `Someone else changed this to “${text}”.`
        : 'Someone else cleared this.'
  }
  const differs = Object.entries(now).some(([name, text]) => (values[name] ?? '') !== text)
  return { values, conflicts, differs }
}

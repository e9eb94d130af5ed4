import type { FastifyRequest } from 'fastify'
import { UTM_PARAMETERS } from '../../contract/link-fields.ts'
import type { ImageFile } from '../../contract/preview-image.ts'
import { DEFAULT_COLOR, isScannable } from '../../qr/qr-code.ts'
import { formFile, formValues } from './form.ts'
import { linkInput, type EnteredInput } from './link-maker.ts'

/** What the form asks for as text, by the names that the API uses. */
export const TEXTS = [
  'destination_url',
  'domain',
  'back_half',
  'title',
  'expires_at',
  ...UTM_PARAMETERS,
  'preview_title',
  'preview_description',
] as const

/** What was entered into the form of a link. */
export interface EnteredLink {
  /** By the names of the form's inputs. */
  values: Record<string, string>
  image: ImageFile | undefined
}

/**
 * Reads the form of a link. If it is shown again because of an error, it contains the image, because a browser doesn't
 * choose a file again.
 */
export function readLinkForm(request: FastifyRequest): EnteredLink {
  const { kept_image: kept, kept_image_name: keptName, ...values } = formValues(request)
  const description = values['preview_description']?.replaceAll('\r\n', '\n')
  const image = formFile(request, 'preview_image')
  return {
    values: { ...values, ...(description !== undefined && { preview_description: description }) },
    image:
      image ??
      (kept && keptName ? { filename: keptName, bytes: Buffer.from(kept, 'base64') } : undefined),
  }
}

/** The fields as the API would receive them. A group of fields is enabled if it is checked and not empty. */
export function toLinkInput({ values, image }: EnteredLink): EnteredInput {
  const has = (...names: readonly string[]) => names.some((name) => values[name])
  const flag = (name: string, filled: boolean) => String(values[name] === 'true' && filled)
  const form: Record<string, string | ImageFile> = {
    utm_analytics_enabled: flag('utm_analytics_enabled', has(...UTM_PARAMETERS)),
    is_custom_preview: flag(
      'is_custom_preview',
      image !== undefined || has('preview_title', 'preview_description'),
    ),
    qr_code_enabled: flag('qr_code_enabled', true),
  }
  for (const name of TEXTS) {
    const text = values[name]
    if (text) form[name] = text
  }
  if (image) form['preview_image'] = image
  const { qr_code_color: color } = values
  // A browser's color input is never empty.
  const isColored = color !== undefined && color !== '' && color !== DEFAULT_COLOR
  if (isColored) form['qr_code_color'] = color
  const input = linkInput(form)
  if (isColored) checkColor(input, color)
  return input
}

/** Browsers don’t warn about colors that can’t be scanned. */
export function checkColor(input: EnteredInput, color: string): void {
  if (isScannable(color)) return
  input.errors.add('qr_code_color', 'Phones can’t scan this color on white. Choose a darker one.')
}

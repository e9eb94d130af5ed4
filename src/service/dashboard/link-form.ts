import type { ComponentChildren } from 'preact'
import { LINK_FIELDS, UTM_PARAMETERS, type UtmParameter } from '../../contract/link-fields.ts'
import { PREVIEW_IMAGE_MAX_BYTES, type ImageFile } from '../../contract/preview-image.ts'
import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import { html } from '../../web/layout.ts'
import { formatNumber } from '../../web/numbers.ts'
import { checkbox, csrfField, field, select, textArea, type FilledForm } from './form.ts'

/** The largest field of the form: an image as base64, if the form is shown again. */
export const MAX_FIELD_BYTES = Math.ceil(PREVIEW_IMAGE_MAX_BYTES / 3) * 4

/** A value of a menu, and its text. */
type Option = readonly [value: string, text: string]

const UTM: Record<UtmParameter, [label: string, example: string]> = {
  utm_source: ['Source', 'newsletter'],
  utm_medium: ['Medium', 'email'],
  utm_campaign: ['Campaign', 'spring-sale'],
  utm_term: ['Term', 'running shoes'],
  utm_content: ['Content', 'button'],
  utm_id: ['Campaign ID', '2027-04'],
}

/** The form of a link, for a new one or for changes. Its inputs have the names that the API uses. */
export function linkForm({
  csrf,
  action,
  submit,
  cancel,
  owners,
  domains,
  today,
  form: { values, errors },
  image,
  link,
}: {
  csrf: string
  /** Where the form is sent. */
  action: string
  /** The text of the button. */
  submit: string
  /** The page that “Cancel” leads to. */
  cancel: string
  /** Undefined if the owner can’t be chosen. */
  owners: readonly Option[] | undefined
  domains: readonly Option[]
  /** The first day on which a link can expire, `YYYY-MM-DD`. */
  today: string
  form: FilledForm
  /** An image that was uploaded before the form was shown again. */
  image?: ImageFile | undefined
  /** The link to change; undefined: the form creates one. */
  link?: { revision: number; imageUrl: string | undefined }
}): ComponentChildren {
  const input = (
    name: string,
    label: string,
    more: {
      hint?: string
      required?: boolean
      type?: string
      inputMode?: string
      min?: string
    } = {},
  ): ComponentChildren =>
    field({
      name,
      label,
      value: values[name] ?? '',
      error: errors[name],
      ...more,
    })
  const menu = (name: string, label: string, options: readonly Option[]): ComponentChildren =>
    select({ name, label, value: values[name] ?? '', options, error: errors[name] })
  return html`<form
    method="post"
    action=${action}
    enctype="multipart/form-data"
    class="stack link-form"
  >
    ${csrfField(csrf)}
    ${link && html`<input type="hidden" name="revision" value=${link.revision} />`}
    ${field({
      name: 'destination_url',
      label: 'Destination',
      value: values['destination_url'] ?? '',
      hint: 'The page that the short link opens, for example https://example.com/page',
      error: errors['destination_url'],
      required: true,
      inputMode: 'url',
      maxLength: LINK_FIELDS.destination_url.maxLength,
    })}
    <div class="pair">
      ${menu('domain', 'Domain', domains)}
      ${
        link
          ? input('back_half', 'Back-half', {
              required: true,
              hint: 'If you change it, the earlier short URL still leads to this link.',
            })
          : input('back_half', 'Back-half (optional)', { hint: 'Left empty, one is generated.' })
      }
    </div>
    <div class="pair">
      ${input('title', 'Title (optional)')}
      ${input('expires_at', 'Expires (optional)', {
        type: 'date',
        min: today,
        hint: 'The last day on which the link works (UTC).',
      })}
    </div>
    ${owners && menu('owner', 'Owner', owners)}
    <fieldset>
      <legend>UTM parameters</legend>
      ${checkbox('utm_analytics_enabled', 'Add them to the destination', values['utm_analytics_enabled'] === 'true')}
      <div class="pair">
        ${UTM_PARAMETERS.map((name) => {
          const [label, example] = UTM[name]
          return input(name, label, { hint: `For example ${example}` })
        })}
      </div>
    </fieldset>
    <fieldset>
      <legend>Preview</legend>
      ${checkbox('is_custom_preview', 'Show this where the link is posted', values['is_custom_preview'] === 'true')}
      ${input('preview_title', 'Preview title')}
      ${textArea({
        name: 'preview_description',
        label: 'Preview text',
        value: values['preview_description'] ?? '',
        error: errors['preview_description'],
        maxLength: LINK_FIELDS.preview_description.maxLength,
      })}
      ${
        link?.imageUrl && [
          html`<img class="preview-image" src=${link.imageUrl} alt="The link’s preview image" />`,
          checkbox('remove_image', 'Remove this image', values['remove_image'] === 'true'),
        ]
      }
      ${field({
        name: 'preview_image',
        label: 'Image',
        type: 'file',
        accept: '.jpeg,.jpg,.png,.svg',
        hint: image
          ? `${image.filename} (${formatNumber(image.bytes.length)} bytes) is kept. Choose a file to replace it.`
          : `${link?.imageUrl ? 'Choose a file to replace the image. ' : ''}JPEG, PNG or SVG, at most 500 KB.`,
        error: errors['preview_image'],
      })}
      ${
        image && [
          html`<input type="hidden" name="kept_image_name" value=${image.filename} />`,
          html`<input
            type="hidden"
            name="kept_image"
            value=${Buffer.from(image.bytes).toString('base64')}
          />`,
        ]
      }
    </fieldset>
    <fieldset>
      <legend>QR code</legend>
      ${checkbox('qr_code_enabled', 'Show the QR code in Slack, and to everyone at the short URL followed by /qr.png', values['qr_code_enabled'] === 'true')}
      ${field({
        name: 'qr_code_color',
        label: 'Color',
        type: 'color',
        value: values['qr_code_color'] || DEFAULT_COLOR,
        error: errors['qr_code_color'],
      })}
    </fieldset>
    <div class="actions">
      <button>${submit}</button>
      <a href=${cancel}>Cancel</a>
    </div>
  </form>`
}

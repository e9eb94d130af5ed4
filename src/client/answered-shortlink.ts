import { shortlink } from '../contract/shortlink.ts'

const { shape } = shortlink

/**
 * A Shortlink as any service may answer it (spec §2.1). What the specification requires is
 * required; an optional member that is null, empty or of another type counts as absent: the link
 * is there all the same, and people want to see it.
 */
export const answeredShortlink = shortlink.extend({
  title: shape.title.catch(undefined),
  is_custom_preview: shape.is_custom_preview.catch(undefined),
  preview_title: shape.preview_title.catch(undefined),
  preview_description: shape.preview_description.catch(undefined),
  preview_image: shape.preview_image.catch(undefined),
  qr_code_enabled: shape.qr_code_enabled.catch(undefined),
})

/** The largest preview image, in bytes: the specification's 500 KB (spec §8), read as 512,000. */
export const PREVIEW_IMAGE_MAX_BYTES = 512_000

/** The largest image that a form accepts and shrinks, in bytes: 10 MB, read like the 500 KB. */
export const UPLOADED_IMAGE_MAX_BYTES = 10_240_000

/** Where our link service has its preview images. That of an SVG, `/preview-images/{name}.svg`, is also there as `.png`. */
export const PREVIEW_IMAGES_PATH = '/preview-images'

/** The file name extensions of a preview image, in lower case, with their media types (spec §8). */
const PREVIEW_IMAGE_TYPES = {
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
} as const

type PreviewImageExtension = keyof typeof PREVIEW_IMAGE_TYPES

/** An uploaded image: its file name, whose extension matters, and its bytes. */
export interface ImageFile {
  filename: string
  bytes: Uint8Array
}

/** Which part of a preview image is not allowed (spec §8). */
export type PreviewImageIssue = 'extension' | 'size' | 'content'

/** The first bytes of the raster formats. */
const SIGNATURES: Record<string, readonly number[]> = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
}

/**
 * The start of an SVG: its root element, after what XML allows before it (a declaration, comments,
 * a document type). A comment ends at the first `-->`, so that no text makes the search slow.
 */
const COMMENTS = String.raw`(?:<!--(?:(?!-->)[\s\S])*-->\s*)*`
const SVG_START = new RegExp(
  String.raw`^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?${COMMENTS}(?:<!DOCTYPE[^>[]*>\s*${COMMENTS})?<svg[\s>]`,
  'i',
)

/** How far into an SVG its root element may begin, in bytes. */
const SVG_HEAD_BYTES = 4096

/**
 * Checks a preview image against the specification: an allowed extension, at most 500 KB, and first
 * bytes that match the extension.
 *
 * @param maxBytes more for an image that is still to be shrunk
 * @returns undefined if the image is valid
 */
export function previewImageIssue(
  { filename, bytes }: ImageFile,
  maxBytes = PREVIEW_IMAGE_MAX_BYTES,
): PreviewImageIssue | undefined {
  const type = previewImageType(filename)
  if (!type) return 'extension'
  if (bytes.length > maxBytes) return 'size'
  const signature = SIGNATURES[type]
  const matches = signature
    ? signature.every((byte, index) => bytes[index] === byte)
    : SVG_START.test(new TextDecoder().decode(bytes.subarray(0, SVG_HEAD_BYTES)))
  return matches ? undefined : 'content'
}

/** The media type for a file name's extension; undefined if the extension is not allowed. */
export function previewImageType(
  filename: string,
): (typeof PREVIEW_IMAGE_TYPES)[PreviewImageExtension] | undefined {
  const extension = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(PREVIEW_IMAGE_TYPES, extension)
    ? PREVIEW_IMAGE_TYPES[extension as PreviewImageExtension]
    : undefined
}

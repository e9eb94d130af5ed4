/** The specification's 500 KB (spec §8), read as 512,000 bytes. */
export const PREVIEW_IMAGE_MAX_BYTES = 512_000

export const UPLOADED_IMAGE_MAX_BYTES = 10_240_000

/** Our link service's folder of preview images. `/preview-images/{name}.svg` can also be read as `{name}.png`. */
export const PREVIEW_IMAGES_PATH = '/preview-images'

type PreviewImageType = 'image/jpeg' | 'image/png' | 'image/svg+xml'

const TYPES_BY_EXTENSION = new Map<string, PreviewImageType>([
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
  ['svg', 'image/svg+xml'],
])

export interface ImageFile {
  filename: string
  bytes: Uint8Array
}

export type PreviewImageIssue = 'extension' | 'size' | 'content'

const SIGNATURES: Record<string, readonly number[]> = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
}

// Each comment ends at the first `-->`, so that no input causes catastrophic backtracking.
const COMMENTS = String.raw`(?:<!--(?:(?!-->)[\s\S])*-->\s*)*`
// Matches the start of an SVG: its root element, perhaps after a declaration, comments and a document type.
const SVG_START = new RegExp(
  String.raw`^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?${COMMENTS}(?:<!DOCTYPE[^>[]*>\s*${COMMENTS})?<svg[\s>]`,
  'i',
)

const SVG_HEAD_BYTES = 4096

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

export function previewImageType(filename: string): PreviewImageType | undefined {
  const [, extension = ''] = /\.([a-z]+)$/i.exec(filename) ?? []
  return TYPES_BY_EXTENSION.get(extension.toLowerCase())
}

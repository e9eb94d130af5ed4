import {
  PREVIEW_IMAGE_MAX_BYTES,
  PREVIEW_IMAGE_TYPES,
  type ImageFile,
  type PreviewImageExtension,
} from './create-request.ts'

/** What can be wrong with a preview image (spec §8). */
export type PreviewImageFault = 'extension' | 'size' | 'content'

/** First bytes of the raster kinds. */
const SIGNATURES: Record<string, readonly number[]> = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
}

/**
 * An SVG's root, after what XML allows before it: a declaration, comments, a document type. A
 * comment ends where it first can, so that no text makes the search slow.
 */
const COMMENTS = String.raw`(?:<!--(?:(?!-->)[\s\S])*-->\s*)*`
const SVG_START = new RegExp(
  String.raw`^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?${COMMENTS}(?:<!DOCTYPE[^>[]*>\s*${COMMENTS})?<svg[\s>]`,
  'i',
)

/** How much of an SVG may stand before its root, in bytes. */
const SVG_HEAD = 4096

/**
 * Holds a preview image against the specification: an allowed extension, at most 500 KB, and
 * first bytes that agree with the extension.
 */
export function previewImageFault({ filename, bytes }: ImageFile): PreviewImageFault | undefined {
  const type = previewImageType(filename)
  if (!type) return 'extension'
  if (bytes.length > PREVIEW_IMAGE_MAX_BYTES) return 'size'
  const signature = SIGNATURES[type]
  const agrees = signature
    ? signature.every((byte, at) => bytes[at] === byte)
    : SVG_START.test(new TextDecoder().decode(bytes.subarray(0, SVG_HEAD)))
  return agrees ? undefined : 'content'
}

/** The media type that a file name's extension stands for; undefined where none is allowed. */
export function previewImageType(
  filename: string,
): (typeof PREVIEW_IMAGE_TYPES)[PreviewImageExtension] | undefined {
  const extension = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(PREVIEW_IMAGE_TYPES, extension)
    ? PREVIEW_IMAGE_TYPES[extension as PreviewImageExtension]
    : undefined
}

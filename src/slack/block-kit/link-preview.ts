import type { ImageBlock, SectionBlock } from '@slack/types'
import { PREVIEW_IMAGES_PATH } from '../../contract/preview-image.ts'
import { LIMITS, section } from './elements.ts'
import { image, isLoadedBySlack } from './messages.ts'
import { cut, escape, isolate } from './mrkdwn.ts'
import type { ShownLink } from './shown-link.ts'

type Previewed = Pick<ShownLink, 'preview_title' | 'preview_description' | 'preview_image'>

const MAX_TITLE_LENGTH = 150
const MAX_DESCRIPTION_LENGTH = 300

export const MAX_ESCAPED_LENGTH = 1000 // With three values of this length, a section isn't full.

export function previewSection(
  headline: string | undefined,
  { preview_description: description = '' }: Previewed,
): SectionBlock[] {
  const shown = escape(oneLine(description, MAX_DESCRIPTION_LENGTH), MAX_ESCAPED_LENGTH)
  const texts = [headline, shown && isolate(shown)].filter(Boolean)
  return texts.length > 0 ? [section(texts.join('\n'))] : []
}

export function titleText(title: string): string {
  return isolate(oneLine(title, MAX_TITLE_LENGTH))
}

const OUR_SVG = new RegExp(String.raw`(${PREVIEW_IMAGES_PATH}/[^/?#]+)\.svg(?=\?|$)`)

/** Slack doesn't show SVG, so an SVG on our own link service is replaced by the PNG that the service makes of it. */
export function previewImages(
  { preview_image: stored = '' }: Previewed,
  label: string,
  reachesLoopback: boolean,
): ImageBlock[] {
  const imageUrl = stored.replace(OUR_SVG, '$1.png')
  const isShown =
    isLoadedBySlack(imageUrl, reachesLoopback) && !/\.svg$/i.test(new URL(imageUrl).pathname)
  const alt = oneLine(`Preview image of ${label}`, LIMITS.altText)
  return isShown ? [image(alt, { image_url: imageUrl })] : []
}

function oneLine(text: string, max: number): string {
  return cut(text.replace(/\s+/g, ' ').trim(), max)
}

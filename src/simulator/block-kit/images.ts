import { z } from 'zod'
import { webUrl } from './composition.ts'

/**
 * Slack fetches images itself, so it can't show one that only this machine or network reaches.
 *
 * @param reachesLoopback whether this Slack is on the same machine, as in the playground
 */
export function canFetchImage(imageUrl: string, reachesLoopback: boolean): boolean {
  const { hostname = '' } = URL.parse(imageUrl) ?? {}
  return !UNREACHABLE.test(hostname) || (reachesLoopback && LOOPBACK.test(hostname))
}

const UNREACHABLE =
  /^(?:localhost|.*\.(?:localhost|local|internal)|127\..*|10\..*|192\.168\..*|172\.(?:1[6-9]|2\d|3[01])\..*|169\.254\..*|\[.*\])$/i

const LOOPBACK = /^(?:localhost|.*\.localhost|127\..*|\[::1\])$/i

const slackFile = z
  .strictObject({
    id: z
      .string()
      .regex(/^F[A-Z0-9]{8,}$/)
      .optional(),
    url: webUrl.optional(),
  })
  .refine(
    ({ id, url }) => (id === undefined) !== (url === undefined),
    'must define either `id` or `url`',
  )

/** Where Slack finds an image, and the text that stands in for it. */
export const imageSource = {
  image_url: webUrl.optional(),
  slack_file: slackFile.optional(),
  alt_text: z.string().min(1).max(2000),
}

/** Whether an image names exactly one source, as Slack requires. */
export function hasOneSource(image: { image_url?: unknown; slack_file?: unknown }): boolean {
  return (image.image_url === undefined) !== (image.slack_file === undefined)
}

export const ONE_SOURCE = 'must define either `image_url` or `slack_file`'

/** An image inside a section or context block. */
export const imageElement = z
  .strictObject({ type: z.literal('image'), ...imageSource })
  .refine(hasOneSource, ONE_SOURCE)

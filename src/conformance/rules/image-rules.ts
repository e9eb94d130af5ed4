import { broken, HOLDS, type Rule } from '../rule.ts'
import { isMade, type LinkName } from '../test-links.ts'
import { IMAGES, LARGEST_IMAGE, pngOfSize, TOO_LARGE_IMAGE } from '../test-images.ts'
import { refusedFields } from './create-request-rules.ts'

/** The limits of preview images (spec §8). Files whose names end in .png are part of other checks. */
export const IMAGE_RULES: readonly Rule[] = [
  accepted('jpeg', 'A preview_image whose name ends in .jpeg is accepted.'),
  accepted('jpg', 'A preview_image whose name ends in .jpg is accepted.'),
  accepted('svg', 'A preview_image whose name ends in .svg is accepted.'),
  accepted('large', `A preview_image of 500 KB (${LARGEST_IMAGE} bytes) is accepted.`),
  {
    id: 'image-extension',
    section: '8',
    rule: 'A preview_image whose name ends in .gif is refused with 400 or 422.',
    otherwise: 'Users are not told that their picture can’t be shown.',
    links: ['plain'],
    check: refusedFields([{ preview_image: IMAGES.gif }]),
  },
  {
    id: 'image-too-large',
    section: '8',
    rule: `A preview_image over 500 KB (${TOO_LARGE_IMAGE} bytes) is refused with 400, 403 or 422.`,
    otherwise: 'Users are not told that their picture is too large.',
    links: ['plain'],
    check: refusedFields([{ preview_image: pngOfSize(TOO_LARGE_IMAGE) }], 403),
  },
]

function accepted(name: Exclude<LinkName, 'many'>, rule: string): Rule {
  return {
    id: `image-${name}`,
    section: '8',
    rule,
    otherwise: 'Users can’t use such a picture in a preview.',
    links: ['plain', name],
    async check({ links }) {
      await links.link('plain')
      const answer = await links.attempt(name)
      return isMade(answer) ? HOLDS : broken(answer)
    },
  }
}

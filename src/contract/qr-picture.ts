import { z } from 'zod'
import { hexColor } from './link-requests.ts'

export const QR_PICTURE_PATH = '/qr.png'

const MIN_SIZE = 100
const MAX_SIZE = 2_000
const MAX_MARGIN = 20

const wholeNumber = z
  .string()
  .regex(/^\d{1,4}$/)
  .transform(Number)

export const qrQuery = z.strictObject({
  color: z
    .string()
    .transform((text) => (text.startsWith('#') ? text : `#${text}`))
    .pipe(hexColor)
    .optional()
    .describe('Use a color of the form #RRGGBB (in a URL, %23RRGGBB or just RRGGBB).'),
  size: wholeNumber
    .pipe(z.int().min(MIN_SIZE).max(MAX_SIZE))
    .optional()
    .describe(
      `Use a whole number of pixels from ${MIN_SIZE} to ${MAX_SIZE.toLocaleString('en-US')}.`,
    ),
  margin: wholeNumber
    .pipe(z.int().max(MAX_MARGIN))
    .optional()
    .describe(`Use a whole number of modules from 0 to ${MAX_MARGIN}.`),
})

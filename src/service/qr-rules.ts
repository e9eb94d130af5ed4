import { z } from 'zod'
import { hexColor } from '../contract/create-request.ts'
import type { QrStyle } from '../qr/png.ts'
import { createFieldFaults } from './field-faults.ts'
import { grouped } from './grouped.ts'

/** Edge lengths in pixels: what the largest short URL's code needs, and what is quick to draw. */
const SIZE = [100, 2_000] as const

const MAX_MARGIN = 20

const RULES = new Map([
  ['color', 'Use a colour of the form #RRGGBB (in a URL, %23RRGGBB, or RRGGBB alone).'],
  ['size', `Use a whole number of pixels from ${SIZE[0]} to ${grouped(SIZE[1])}.`],
  ['margin', `Use a whole number of modules from 0 to ${MAX_MARGIN}.`],
])

const wholeNumber = z
  .string()
  .regex(/^\d{1,4}$/)
  .transform(Number)

const qrQuery = z.strictObject({
  color: z
    .string()
    .transform((text) => (text.startsWith('#') ? text : `#${text}`))
    .pipe(hexColor)
    .optional(),
  size: wholeNumber.pipe(z.int().min(SIZE[0]).max(SIZE[1])).optional(),
  margin: wholeNumber.pipe(z.int().max(MAX_MARGIN)).optional(),
})

/**
 * How a QR code is asked for: `?color=1f4f46&size=800&margin=2`, each optional.
 *
 * @throws ServiceError VALIDATION_ERROR that names every parameter at fault, unknown ones included
 */
export function parseQrQuery(query: unknown): QrStyle {
  const parsed = qrQuery.safeParse(query)
  if (parsed.success) return parsed.data
  const faults = createFieldFaults()
  for (const issue of parsed.error.issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0])]
    for (const name of names) faults.add(name, RULES.get(name) ?? 'There is no such parameter.')
  }
  faults.throwIfAny()
  throw parsed.error
}

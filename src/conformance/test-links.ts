import { randomBytes } from 'node:crypto'
import type { Clock } from '../timing/clock.ts'
import { CREATE_FIELDS, fieldsWith, OUR_CREATE_FIELDS, without } from '../contract/link-fields.ts'
import type { ImageFile } from '../contract/preview-image.ts'
import {
  readShortlink,
  Unchecked,
  type ServiceResponse,
  type Fields,
  type TestedService,
} from './tested-service.ts'

export const OPTIONAL_FIELDS = without(CREATE_FIELDS, [
  ...fieldsWith({ isRequired: true }),
  ...OUR_CREATE_FIELDS,
])

export type OptionalField = (typeof OPTIONAL_FIELDS)[number]

/** How many links the checks create on a correct service. A second page of ten links (spec §4.3) needs them. */
export const ALL_LINKS = 12
const MIN_NEW_LINKS = 5
// Separates old from new links. It is longer than a second, because a service might store its times in seconds.
const PAUSE_MS = 1_100

export type TestLinks = ReturnType<typeof createTestLinks>

/** Rules share links, because not every service can delete links. */
export function createTestLinks(service: TestedService, clock: Pick<Clock, 'sleep'>) {
  const run = randomBytes(4).toString('hex')
  let count = 0
  const newDestination = (): string => `https://example.com/?conformance=${run}-${++count}`
  const fields = allFields(run)
  const requests = new Map<string, { destination: string; response: Promise<ServiceResponse> }>()
  const destinationOf = (name: string): string => requests.get(name)?.destination ?? ''

  // Rules that use the same name share the link.
  function createOnce(name: string, more: Fields = {}): Promise<ServiceResponse> {
    const earlier = requests.get(name)
    if (earlier) return earlier.response
    const destination = newDestination()
    const response = service.create({ destination_url: destination, ...more })
    requests.set(name, { destination, response })
    return response
  }

  /** @throws Unchecked if the service refuses the link */
  async function requireLink(name: string, more?: Fields): Promise<ServiceResponse> {
    const response = await createOnce(name, more).catch(() => undefined)
    if (response && isCreated(response)) return response
    throw new Unchecked('needs a link that the service did not create')
  }

  async function createOldAndNew() {
    await requireLink('plain')
    await clock.sleep(PAUSE_MS)
    const newDestinations = new Set<string>()
    while (newDestinations.size < MIN_NEW_LINKS || service.created.length < ALL_LINKS) {
      const name = `new ${newDestinations.size}`
      await requireLink(name)
      newDestinations.add(destinationOf(name))
    }
    return (destination: string): 'new' | 'old' | 'other' => {
      if (newDestinations.has(destination)) return 'new'
      const isOurs = destination.startsWith(`https://example.com/?conformance=${run}-`)
      return isOurs ? 'old' : 'other'
    }
  }
  // Created for the first rule that needs them.
  let oldAndNew: Promise<(destination: string) => 'new' | 'old' | 'other'> | undefined

  return {
    newDestination,
    destinationOf,
    fields,
    createOnce,
    requireLink,
    async createFullOrWith(field: OptionalField) {
      const full = await createOnce('full', fields).catch(() => undefined)
      if (full && isCreated(full)) return full
      return createOnce(`with ${field}`, { [field]: fields[field] })
    },
    /** Creates old and, after a pause, new links. @returns a function that tells by a destination which link it is */
    fillLists: () => (oldAndNew ??= createOldAndNew()),
  }
}

export function isCreated({ status }: ServiceResponse): boolean {
  return status >= 200 && status < 300
}

/** @throws Unchecked if the response has no such URL */
export function urlIn(response: ServiceResponse, member: 'shortlink_url' | 'preview_image'): URL {
  const value = readShortlink(response)[member]
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new Unchecked(`the response has no URL in ${member}`)
}

function allFields(run: string) {
  return {
    title: `Conformance ${run}`,
    back_half: `c${run}`,
    utm_analytics_enabled: 'true',
    utm_source: 'conformance',
    utm_medium: 'test',
    utm_campaign: run,
    utm_term: 'term',
    utm_content: 'content',
    utm_id: '1',
    is_custom_preview: 'true',
    preview_title: `Preview ${run}`,
    preview_description: 'Created by a conformance test.',
    preview_image: IMAGES.png,
    qr_code_enabled: 'true',
    qr_code_color: '#1f4f46',
  } satisfies Record<OptionalField, Fields[string]>
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAAL/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCIAl//2Q==',
  'base64',
)
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>'
const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

export const IMAGES = {
  png: { filename: 'preview.png', bytes: PNG },
  jpeg: { filename: 'preview.jpeg', bytes: JPEG },
  jpg: { filename: 'preview.jpg', bytes: JPEG },
  svg: { filename: 'preview.svg', bytes: Buffer.from(SVG) },
  gif: { filename: 'preview.gif', bytes: Buffer.from(GIF, 'base64') },
  // Every reading of “500 KB” allows the first size, and none the second (spec §8).
  large: pngOfSize(500_000),
  tooLarge: pngOfSize(512_001),
} satisfies Record<string, ImageFile>

/** Builds a PNG of this size. Programs ignore the zeros after its end. */
function pngOfSize(bytes: number): ImageFile {
  return { filename: 'large.png', bytes: Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]) }
}

import { randomBytes } from 'node:crypto'
import type { Clock } from '../timing/clock.ts'
import { CREATE_FIELDS, fieldsWith, OUR_CREATE_FIELDS, without } from '../contract/link-fields.ts'
import { IMAGES, LARGEST_IMAGE, pngOfSize } from './test-images.ts'
import {
  shortlinkOf,
  Unchecked,
  type Answer,
  type Fields,
  type TestedService,
} from './tested-service.ts'

export type LinkName = 'plain' | 'second' | 'full' | 'jpeg' | 'jpg' | 'svg' | 'large'

export const OPTIONAL_FIELDS = without(CREATE_FIELDS, [
  ...fieldsWith({ isRequired: true }),
  ...OUR_CREATE_FIELDS,
])

export type OptionalField = (typeof OPTIONAL_FIELDS)[number]

/** How many links a service that breaks no rule makes: more than the ten that a page has by default (spec §4.3). */
export const MAX_LINKS = 12
const NEW_LINKS = 5
/** Longer than a second, because a service may store its times in seconds. In milliseconds. */
const PAUSE_MS = 1_100

export type TestLinks = ReturnType<typeof createTestLinks>

export function createTestLinks(service: TestedService, clock: Pick<Clock, 'sleep'>) {
  const run = randomBytes(4).toString('hex')
  let count = 0
  const destination = (): string => `https://example.com/?conformance=${run}-${++count}`
  const fields = allFields(run)
  const own = new Map<string, { destination: string; answer: Promise<Answer> }>()
  const FIELDS: Record<LinkName, Fields> = {
    plain: {},
    second: {},
    full: fields,
    jpeg: { preview_image: IMAGES.jpeg },
    jpg: { preview_image: IMAGES.jpg },
    svg: { preview_image: IMAGES.svg },
    large: { preview_image: pngOfSize(LARGEST_IMAGE) },
  }

  function attempt(name: string, more: Fields): Promise<Answer> {
    const earlier = own.get(name)
    if (earlier) return earlier.answer
    const url = destination()
    const answer = service.create({ destination_url: url, ...more })
    own.set(name, { destination: url, answer })
    return answer
  }

  async function link(name: string, more: Fields): Promise<Answer> {
    const answer = await attempt(name, more).catch(() => undefined)
    if (answer && isMade(answer)) return answer
    throw new Unchecked('needs a link that the service did not make')
  }

  async function makeMany(): Promise<ReadonlySet<string>> {
    await link('plain', {})
    await clock.sleep(PAUSE_MS)
    const isFew = (made: number): boolean => made < NEW_LINKS || service.made.length < MAX_LINKS
    for (let made = 0; isFew(made); made++) await link(`new ${made}`, {})
    const fresh = [...own].filter(([name]) => name.startsWith('new '))
    return new Set(fresh.map(([, made]) => made.destination))
  }
  let many: Promise<ReadonlySet<string>> | undefined

  return {
    destination,
    destinationOf: (name: LinkName) => own.get(name)?.destination ?? '',
    fields,
    textOf(field: OptionalField) {
      const value = fields[field]
      return typeof value === 'string' ? value : ''
    },
    attempt: (name: LinkName) => attempt(name, FIELDS[name]),
    link: (name: LinkName) => link(name, FIELDS[name]),
    /** The answer to a create with this field: with all fields, or if that was refused, with this one only. */
    async withField(field: OptionalField) {
      const full = await attempt('full', fields).catch(() => undefined)
      if (full && isMade(full)) return full
      return attempt(`with ${field}`, { [field]: fields[field] })
    },
    /**
     * Makes many links, some of them later than all others.
     *
     * @returns the age of a link in a list: `other` if this run did not make it
     * @throws Unchecked if the service did not make them
     */
    async many() {
      many ??= makeMany()
      const fresh = await many
      return (url: string): 'new' | 'old' | 'other' => {
        if (fresh.has(url)) return 'new'
        return url.startsWith(`https://example.com/?conformance=${run}-`) ? 'old' : 'other'
      }
    },
  }
}

export function isMade({ status }: Answer): boolean {
  return status >= 200 && status < 300
}

export function urlIn(answer: Answer, member: 'shortlink_url' | 'preview_image'): URL {
  const value = shortlinkOf(answer)[member]
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new Unchecked(`the answer has no URL in ${member}`)
}

function allFields(run: string): Record<OptionalField, Fields[string]> {
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
    preview_description: 'Made by a conformance test.',
    preview_image: IMAGES.png,
    qr_code_enabled: 'true',
    qr_code_color: '#1f4f46',
  }
}

import crawlers from 'crawler-user-agents'
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'

/** Who follows a link: somebody, a program that draws link cards, or any other program. */
export type Visitor = 'person' | 'card_crawler' | 'bot'

/** Different User-Agents remembered: a few hundred cover nearly all visits. */
const REMEMBERED = 2_000

/** Characters of a User-Agent that are looked at. The longest real ones have some 400. */
const MAX_LENGTH = 500

/** The package's types leave the tags out. */
const listed: { pattern: string; tags?: string[] }[] = crawlers

const CARD_CRAWLER = new RegExp(
  listed
    .filter(({ tags }) => tags?.includes('social-preview'))
    .map(({ pattern }) => pattern)
    .join('|'),
)

const known = new LRUCache<string, Visitor>({ max: REMEMBERED })

/**
 * Tells people from programs by the `User-Agent` header. Some apps name themselves like their
 * crawlers when a person reads in them, so a card crawler must look like a program as well.
 * Whoever sends no User-Agent is a program.
 */
export function visitorOf(userAgent: string | undefined): Visitor {
  const name = (userAgent ?? '').slice(0, MAX_LENGTH)
  const before = known.get(name)
  if (before) return before
  const visitor = visitorNamed(name)
  known.set(name, visitor)
  return visitor
}

function visitorNamed(name: string): Visitor {
  if (name !== '' && !isbot(name)) return 'person'
  return CARD_CRAWLER.test(name) ? 'card_crawler' : 'bot'
}

import crawlers from 'crawler-user-agents'
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'

/** A visitor of a short URL: a person, a bot that shows preview cards, or any other bot. */
export type Visitor = 'person' | 'card_crawler' | 'bot'

/** User agents to remember: a few hundred cover nearly all visits. */
const CACHE_SIZE = 2_000

/** Characters of a user agent to look at. The longest real ones have about 400. */
const MAX_LENGTH = 500

/** The package's types lack the tags. */
const listed: { pattern: string; tags?: string[] }[] = crawlers

const CARD_CRAWLER = new RegExp(
  listed
    .filter(({ tags }) => tags?.includes('social-preview'))
    .map(({ pattern }) => pattern)
    .join('|'),
)

const cache = new LRUCache<string, Visitor>({ max: CACHE_SIZE })

/** Classifies a visitor by the `User-Agent` header. Without one, the visitor is a bot. */
export function classifyVisitor(userAgent: string | undefined): Visitor {
  const name = (userAgent ?? '').slice(0, MAX_LENGTH)
  const cached = cache.get(name)
  if (cached) return cached
  const visitor = classify(name)
  cache.set(name, visitor)
  return visitor
}

/**
 * Some apps send the name of their crawler when a person reads in them, so a visitor counts as a
 * card crawler only if it looks like a bot as well.
 */
function classify(name: string): Visitor {
  if (name !== '' && !isbot(name)) return 'person'
  return CARD_CRAWLER.test(name) ? 'card_crawler' : 'bot'
}

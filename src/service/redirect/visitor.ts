import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'
import type { FastifyRequest } from 'fastify'
import { webUrl } from '../../web/readable-url.ts'
import { normalizeHostname, type Addresses } from '../store/addresses.ts'

// Who follows a link: a person, a program that shows its preview card (such as a chat app), or another program.
type Visitor = 'person' | 'card_crawler' | 'bot'

// The longest real user agents have about 400 characters.
const MAX_USER_AGENT_LENGTH = 500

// Programs that show preview cards, but that are missing or not tagged so in the package crawler-user-agents.
const MORE_CARD_CRAWLERS = [
  'Bluesky Cardyb',
  'Google-PageRenderer', // Google Chat and Messages
  'ZulipURLPreview',
  'Pleroma',
  'Akkoma',
  '^gotosocial',
]

// In older versions of GoToSocial, an administrator chooses the name in front of this, so isbot can't know it.
const OLD_GOTOSOCIAL = /\(gofed\/activity gotosocial-/

// Programs that need the destination instead of the card, although the package says that they show cards. They collect
// pages for an AI or a search index, classify domains, or fetch an image to show it in a mail.
const NO_CARD_CRAWLERS = [
  'meta-external(?:agent|fetcher)',
  'meta-webindexer',
  'TikTokSpider',
  'bluesky-domain-status-classifier',
  'AASA-Bot',
  'Slack-ImgProxy',
  'GoogleImageProxy',
  'YahooMailProxy',
  'Shortwave Image Fetcher',
  'github-camo',
]

const NO_CARD_CRAWLER = new RegExp(NO_CARD_CRAWLERS.join('|'), 'i')

const visitors = new LRUCache<string, Visitor>({ max: 2_000, memoMethod: classify })

export function classifyVisitor(userAgent = ''): Visitor {
  return visitors.memo(userAgent.slice(0, MAX_USER_AGENT_LENGTH))
}

// A visitor is a card crawler only if it looks like a bot as well, because the browsers inside some apps send the name
// of the app's crawler, too.
function classify(name: string): Visitor {
  if (OLD_GOTOSOCIAL.test(name)) return 'card_crawler'
  if (name !== '' && !isbot(name)) return 'person'
  cardCrawler ??= cardCrawlerPattern()
  return cardCrawler.test(name) && !NO_CARD_CRAWLER.test(name) ? 'card_crawler' : 'bot'
}

let cardCrawler: RegExp | undefined

// Reads the package's list when the first bot visits. An import would keep all of it in memory: 4 MB.
function cardCrawlerPattern(): RegExp {
  const path = createRequire(import.meta.url).resolve('crawler-user-agents')
  const crawlers = JSON.parse(readFileSync(path, 'utf8')) as { pattern: string; tags?: string[] }[]
  const patterns = crawlers.flatMap(({ pattern, tags }) =>
    tags?.includes('social-preview') ? [pattern] : [],
  )
  return new RegExp([...patterns, ...MORE_CARD_CRAWLERS].join('|'))
}

const MAX_HOSTNAME_LENGTH = 253

// URLs accept further characters in a hostname, such as `*` and `~`, but no page has such a host.
const HOSTNAME = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])$/

// Browsers send only the origin of a page whose URL is longer (https://w3c.github.io/webappsec-referrer-policy/).
const MAX_REFERER_LENGTH = 4_096

/** The hostname of the page on which a link was clicked. Undefined if it is unknown or one of our pages. */
export function referringHost(
  { headers: { referer }, hostname: requested }: Pick<FastifyRequest, 'headers' | 'hostname'>,
  addresses: Addresses,
): string | undefined {
  if (referer === undefined || referer.length > MAX_REFERER_LENGTH) return undefined
  const url = webUrl(referer)
  if (!url || addresses.isOwnUrl(url)) return undefined
  const hostname = normalizeHostname(url.hostname)
  const isUsable = HOSTNAME.test(hostname) && hostname.length <= MAX_HOSTNAME_LENGTH
  return isUsable && hostname !== normalizeHostname(requested) ? hostname : undefined
}

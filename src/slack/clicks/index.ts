import { isWebUrl, unwrapLink } from '../block-kit/mrkdwn.ts'
import { COMMAND } from '../ids.ts'
import type { Links } from '../links/links.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { Listeners } from '../platform/listeners.ts'
import type { Platform } from '../platform/platform.ts'
import { createClicks, type Clicks, type ClicksOptions } from './clicks.ts'

/** `/shorten clicks SHORT-URL`. The menu of a link shows the same in a modal. */
export function registerClicks(
  listeners: Listeners,
  platform: Platform & Links,
  options: ClicksOptions,
): Clicks {
  const clicks = createClicks(platform, options)
  listeners.command('clicks', async ({ caller, target, text }) => {
    const shortUrl = parseShortUrl(text)
    await clicks.answer(caller, target, shortUrl)
  })
  return clicks
}

/**
 * Reads a short URL. People leave out `https://`.
 *
 * @throws SlackInputError if the text is anything else
 */
export function parseShortUrl(text: string): string {
  const typed = unwrapLink(text.trim())
  const url = URL.parse(isWebUrl(typed) ? typed : `https://${typed}`)
  const hasPath = url !== null && (url.pathname !== '/' || url.search !== '')
  if (hasPath && !/\s/.test(typed)) return url.href
  throw new SlackInputError([
    {
      message: `Type one short link after \`${COMMAND} clicks\`, like ${COMMAND} clicks https://go.example.com/spring-sale.`,
    },
  ])
}

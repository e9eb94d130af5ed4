import { z } from 'zod'
import type { LinkDetails } from '../../client/link-client.ts'
import { actions, button, context, section, type MessageContent } from '../block-kit/elements.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { bold, escape, moment } from '../block-kit/mrkdwn.ts'
import { headline } from '../block-kit/shown-link.ts'
import { ACTIONS } from '../ids.ts'

/** What the button *Keep it* remembers. */
export interface KeptLink {
  /** The link service's ID. */
  name: string
  shortUrl: string
}

/** A link that expires soon, as the link service has just described it. */
export interface ExpiringLink {
  link: LinkDetails
  /** Milliseconds since 1970. */
  expiresAt: number
}

/**
 * Reminds the maker of a link that it expires.
 *
 * @param name absent if the link service can't change links
 */
export function reminderMessage({ link, expiresAt }: ExpiringLink, name?: string): MessageContent {
  const { shortlink_url: shortUrl } = link
  const value = name === undefined ? undefined : encodeKeptLink({ name, shortUrl })
  return {
    text: `Your short link ${escape(shortUrl)} expires on ${moment(expiresAt)}.`,
    blocks: [
      section(
        `:hourglass_flowing_sand: One of your short links expires on *${moment(expiresAt)}*. From then on, it leads nowhere.`,
      ),
      section(headline(link)),
      ...(value === undefined
        ? []
        : actions([button('Keep it', ACTIONS.keepLink, { value, style: 'primary' })])),
    ],
  }
}

/** The outcome of a click on *Keep it*. */
export interface Kept {
  link: LinkDetails
  /** Whether it already had no expiry, for example because of an earlier click. */
  isKeptBefore: boolean
}

/** Replaces the reminder. */
export function keptMessage({ link, isKeptBefore }: Kept): MessageContent {
  const outcome = isKeptBefore
    ? 'This short link doesn’t expire.'
    : 'Kept. This short link no longer expires.'
  return {
    text: `${outcome} ${escape(link.shortlink_url)}`,
    blocks: [
      section(`:white_check_mark: ${outcome}`),
      section(headline(link)),
      ...(link.enabled === false
        ? [context(`It is ${bold('turned off')}, so it leads nowhere for now.`)]
        : []),
    ],
  }
}

const keptLink = z.tuple([z.string().min(1), z.url({ protocol: /^https?$/ })])

function encodeKeptLink({ name, shortUrl }: KeptLink): string | undefined {
  const value = JSON.stringify([name, shortUrl])
  return value.length <= LIMITS.buttonValue ? value : undefined
}

/** @throws if this app did not encode it */
export function decodeKeptLink(value: string): KeptLink {
  const [name, shortUrl] = keptLink.parse(JSON.parse(value))
  return { name, shortUrl }
}

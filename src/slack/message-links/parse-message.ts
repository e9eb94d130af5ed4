import type { DomainRecord } from '../../workspaces/connection.ts'
import { LIMITS } from '../blocks/limits.ts'
import { isOnDomain } from '../short-host.ts'
import { urlsInAttachments } from '../input/urls-in-attachments.ts'
import { urlsInBlocks } from '../input/urls-in-blocks.ts'
import { urlsInMrkdwn } from '../input/urls-in-text.ts'

/** As much of a Slack message as links are found in. */
export interface MessageWithLinks {
  text?: string | undefined
  blocks?: unknown
  attachments?: unknown
}

/** The links of a message. */
export interface MessageLinks {
  /** Each once, in the order in which they stand. */
  links: string[]
  /** How many were left out, and why. */
  leftOut: {
    /** On one of the workspace's own domains. */
    short: number
    /** To messages, people and files in Slack, which opens such links in place. */
    slack: number
    /** Longer than a form takes. */
    tooLong: number
  }
}

/** Where curly quotes stand around a link, Slack may take the closing one for its end. */
const CLOSING_QUOTES = /[“”‘’«»‹›]+$/

/** Slack's own addresses of what is in a workspace; its other pages are pages like any. */
const IN_SLACK = /^\/(archives|client|team|files|docs|lists|canvas)\//

/**
 * The http and https links of a message: of its text, its blocks, its attachments and the unfurls
 * among them. Two links are the same where the WHATWG URL standard reads them the same; the
 * fragment counts, since it may lead to another place.
 *
 * @param domains the workspace's domain records
 */
export function parseMessageLinks(
  { text = '', blocks, attachments }: MessageWithLinks,
  domains: readonly DomainRecord[],
): MessageLinks {
  const isShort = (url: URL): boolean => domains.some((domain) => isOnDomain(url, domain))
  const written = [
    ...urlsInMrkdwn(text),
    ...urlsInBlocks(blocks),
    ...urlsInAttachments(attachments, (link) => {
      const url = URL.parse(link)
      return url !== null && isShort(url)
    }),
  ]
  const found: MessageLinks = { links: [], leftOut: { short: 0, slack: 0, tooLong: 0 } }
  const seen = new Set<string>()
  for (const one of written) {
    const link = one.replace(CLOSING_QUOTES, '')
    const url = URL.parse(link)
    if (!url || seen.has(url.href)) continue
    seen.add(url.href)
    if (isShort(url)) found.leftOut.short++
    else if (isInSlack(url)) found.leftOut.slack++
    else if (link.length > LIMITS.inputText) found.leftOut.tooLong++
    else found.links.push(link)
  }
  return found
}

function isInSlack({ hostname, pathname }: URL): boolean {
  return /(^|\.)slack(-gov)?\.com$/.test(hostname) && IN_SLACK.test(pathname)
}

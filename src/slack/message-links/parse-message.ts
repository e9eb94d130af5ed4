import { isOnDomain, type DomainRecord } from '../../workspaces/connection.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { urlsInAttachments, urlsInBlocks, urlsInMrkdwn } from './find-urls.ts'

/** The parts of a Slack message that contain links. */
export interface MessageWithLinks {
  text?: string | undefined
  blocks?: unknown
  attachments?: unknown
}

export interface MessageLinks {
  /** Each link once, in order. */
  links: string[]
  /** How many links were left out, and why. */
  leftOut: {
    /** On one of the workspace's own domains. */
    short: number
    /** To messages, people and files in Slack, which Slack opens itself. */
    slack: number
    /** Longer than a form can hold. */
    tooLong: number
  }
}

/** Slack may count the closing curly quote after a link as part of it. */
const CLOSING_QUOTES = /[“”‘’«»‹›]+$/

/** Slack's addresses of things in a workspace. Its other pages are ordinary pages. */
const PATH_IN_SLACK = /^\/(archives|client|team|files|docs|lists|canvas)\//

/**
 * The http and https links in a message: in its text, its blocks and its attachments, including unfurls.
 * Two links are the same if the WHATWG URL standard normalizes them to the same URL. The fragment counts,
 * because it may lead to another place on the page.
 *
 * @param domains the workspace's domain records
 */
export function parseMessageLinks(
  { text = '', blocks, attachments }: MessageWithLinks,
  domains: readonly DomainRecord[],
): MessageLinks {
  const isShort = (url: URL): boolean => domains.some((domain) => isOnDomain(url, domain))
  const candidates = [
    ...urlsInMrkdwn(text),
    ...urlsInBlocks(blocks),
    ...urlsInAttachments(attachments, (link) => {
      const url = URL.parse(link)
      return url !== null && isShort(url)
    }),
  ]
  const found: MessageLinks = { links: [], leftOut: { short: 0, slack: 0, tooLong: 0 } }
  const seen = new Set<string>()
  for (const candidate of candidates) {
    const link = candidate.replace(CLOSING_QUOTES, '')
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
  return /(^|\.)slack(-gov)?\.com$/.test(hostname) && PATH_IN_SLACK.test(pathname)
}

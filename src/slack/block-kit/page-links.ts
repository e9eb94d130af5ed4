import type { KnownBlock } from '@slack/types'
import type { Operator } from '../../config/config.ts'
import { withoutSlash } from '../../contract/endpoints.ts'
import { context } from './elements.ts'
import { escape, link } from './mrkdwn.ts'

/** Builds links to the app's pages. Without a public https address, there is only a link to the operator's support. */
export function pageLinkBlocks(
  publicUrl: string | undefined,
  { supportUrl, supportEmail }: Operator,
): KnownBlock[] {
  const base = /^https:/i.test(publicUrl ?? '') && `${withoutSlash(publicUrl ?? '')}/slack`
  const support =
    supportUrl !== undefined
      ? link(supportUrl, 'Support')
      : supportEmail && `<mailto:${escape(supportEmail)}|Support>`
  const links = base
    ? [
        link(`${base}/`, 'Help'),
        link(`${base}/support`, 'Support'),
        link(`${base}/privacy`, 'Privacy'),
      ]
    : [support].filter((item) => item !== undefined)
  return links.length > 0 ? [context(links.join('  ·  '))] : []
}

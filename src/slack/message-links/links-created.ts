import type { SectionBlock } from '@slack/types'
import { button, present, section } from '../block-kit/elements.ts'
import type { MessageContent } from '../block-kit/messages.ts'
import { escape, link, mention, readableUrl } from '../block-kit/mrkdwn.ts'
import { formatCount } from '../../web/numbers.ts'
import { encodeLink, STATE_TEXTS, type ShownLink } from '../block-kit/shown-link.ts'
import { ACTIONS } from '../ids.ts'

/** The result for one link of a checklist. It has either `created`, `duplicate`, `waiting` or `failure`. */
export interface BatchResult {
  url: string
  created?: ShownLink
  duplicate?: ShownLink // The existing link of the destination.
  waiting?: string // Approvers have to allow the destination first.
  failure?: string
  uncertain?: boolean // Set together with `failure` if the response got lost, so that the link might exist.
}

// Destinations are cut, because Slack refuses messages of more than about 12,000 characters.
const MAX_SHOWN_LENGTH = 60

const MAX_FAILURE_LENGTH = 200

export function linksCreatedMessage(results: readonly BatchResult[], by: string): MessageContent {
  const links = results.flatMap(({ created, duplicate }) => created ?? duplicate ?? [])
  const heading = `${mention(by)} ${summary(results)}:`
  return {
    text: [heading, ...links.map(({ shortlink_url: shortUrl }) => escape(shortUrl))].join('\n'),
    blocks: [section(heading), ...results.map(line)],
  }
}

function summary(results: readonly BatchResult[]): string {
  const count = (kind: keyof BatchResult): number => results.filter((result) => result[kind]).length
  const created = count('created')
  const uncertain = count('uncertain')
  const counted = (number: number, what: string) => number > 0 && `${number} ${what}`
  return present([
    created > 0 ? `shortened ${formatCount(created, 'link')}` : 'asked for short links',
    counted(count('duplicate'), 'already had a short link'),
    counted(count('waiting'), 'must be approved first'),
    counted(uncertain, 'might have been shortened'),
    counted(count('failure') - uncertain, 'could not be shortened'),
  ]).join('; ')
}

function line({ url, created, duplicate, waiting, failure }: BatchResult): SectionBlock {
  const destination = escape(readableUrl(url, MAX_SHOWN_LENGTH))
  const result = created ?? duplicate
  if (!result) {
    const icon = waiting ? ':hourglass_flowing_sand:' : ':warning:'
    const why = escape(waiting ?? failure ?? '', MAX_FAILURE_LENGTH)
    return section(`${icon} ${destination}\n${why}`)
  }
  const { qrColor, hasPublicQr, shortlink_url, state } = result
  const ended = state ? `, but ${STATE_TEXTS[state]}` : ''
  const note = duplicate ? `  ·  already existed${ended}` : ''
  // The button carries only what the QR code is drawn from, because thirty of them make a long message.
  const value = qrColor && encodeLink({ shortlink_url, qrColor, hasPublicQr })
  const accessory = value ? button('Show QR code', ACTIONS.showQr, { value }) : undefined
  return section(`${destination}\n→ *${link(shortlink_url)}*${note}`, accessory)
}

import type { LinkClicks } from '../../contract/extension-calls.ts'
import { createOperation, type Operation } from '../../port/operation.ts'
import { readableUrl } from '../block-kit/mrkdwn.ts'
import { readCurrent } from '../links/current-link.ts'
import { findNamedLink } from '../links/find-link.ts'
import type { ListLink } from '../links/link-lists.ts'
import type { LinkPlatform, Links } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import type { Listeners } from '../platform/listeners.ts'
import { NO_PICTURE, showWithPicture } from '../platform/pictures.ts'
import type { Show } from '../platform/views.ts'
import type { ChartSource } from './chart-links.ts'
import {
  chartMessage,
  chartText,
  type ClickedLink,
  clickedLink,
  clicksMessage,
  clicksModal,
} from './click-blocks.ts'

type CountedClicks = Pick<ClickedLink, 'clicks' | 'total'>

async function readClicks(
  { linkService }: Pick<Links, 'linkService'>,
  { workspace }: Caller,
  found: ListLink,
  operation: Operation,
): Promise<CountedClicks> {
  const { clicks: isOffered } = await linkService.certain(workspace, 'reports clicks')
  if (!isOffered) return { total: found.clicks }
  return { clicks: await linkService.clicks(workspace, found.name, { operation }) }
}

export async function readNamedClicks(
  platform: LinkPlatform,
  caller: Caller,
  text: string,
): Promise<{ link: ListLink; counted: CountedClicks }> {
  const { clock, linkService, permissions } = platform
  await permissions.checkMaySee(caller)
  const { workspace } = caller
  const operation = createOperation({ clock })
  const { clicks: isOffered } = await linkService.capabilities(workspace)
  const named = { command: 'clicks', text }
  const found = await findNamedLink(platform, workspace, named, { operation, counts: !isOffered })
  const [counted, read] = await Promise.all([
    readClicks(platform, caller, found, operation),
    // Our record might be older, and doesn't know whether the link is on.
    found.enabled === undefined ? readCurrent(platform, workspace, found.name) : undefined,
  ])
  return { link: typeof read === 'object' ? read : found, counted }
}

export type ShowClicks = (
  caller: Caller,
  link: ListLink,
  show: Show,
  operation: Operation,
) => Promise<void>

export function registerClicks(
  listeners: Listeners,
  platform: LinkPlatform,
  chartSource: ChartSource,
): ShowClicks {
  const { clock, permissions, replies } = platform

  function clicksChart(caller: Caller, { shortUrl }: ClickedLink, { days }: LinkClicks) {
    const [first] = days
    if (!first) return NO_PICTURE
    const people = days.map((day) => day.people)
    const title = shortUrl.replace(/^https?:\/\//, '')
    return chartSource(caller, { title, from: first.date, series: [{ name: '', people }] })
  }

  listeners.command('clicks', async ({ caller, target, text }) => {
    const { client } = caller
    const { link, counted } = await readNamedClicks(platform, caller, text)
    const clicked = { ...clickedLink(link, clock.now()), ...counted }
    const { clicks } = clicked
    if (!clicks) return replies.send(client, target, clicksMessage(clicked))
    await replies.sendWithPicture(client, target, clicksChart(caller, clicked, clicks), {
      build: ({ picture }) => clicksMessage(clicked, picture),
      buildPicture: (picture) =>
        chartMessage(readableUrl(link.shortlink_url), chartText(clicked, clicks), picture),
    })
  })

  return async (caller, link, show, operation) => {
    await permissions.checkMaySee(caller)
    const counted = await readClicks(platform, caller, link, operation)
    const clicked = { ...clickedLink(link, clock.now()), ...counted }
    const { clicks } = clicked
    const source = clicks ? clicksChart(caller, clicked, clicks) : NO_PICTURE
    const isUploaded = source.address === undefined && typeof source.upload === 'function'
    if (isUploaded) await show(clicksModal(clicked))
    await showWithPicture(clock, source, (picture) => show(clicksModal(clicked, picture)))
  }
}

import type { LinkClicks } from '../../contract/extension-calls.ts'
import type { Operation } from '../../port/operation.ts'
import { readableUrl } from '../block-kit/mrkdwn.ts'
import type { ListLink } from '../links/link-lists.ts'
import type { LinkPlatform } from '../links/links.ts'
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
import { readClicks, readNamedClicks } from './read-clicks.ts'

/** Shows the clicks on a link in a modal. The menu of a link calls this. */
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
    // Uploading the chart takes a while, so the figures are shown first.
    const isUploaded = source.address === undefined && typeof source.upload === 'function'
    if (isUploaded) await show(clicksModal(clicked))
    await showWithPicture(clock, source, (picture) => show(clicksModal(clicked, picture)))
  }
}

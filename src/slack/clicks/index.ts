import type { Operation } from '../../port/operation.ts'
import type { PictureState } from '../block-kit/messages.ts'
import { readableUrl } from '../block-kit/mrkdwn.ts'
import type { ListLink } from '../links/link-lists.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import type { Listeners } from '../platform/listeners.ts'
import { NO_PICTURE, showWithPicture } from '../platform/pictures.ts'
import type { Show } from '../platform/views.ts'
import { chartMessage, chartText, clicksMessage, clicksModal } from './click-blocks.ts'
import { readClicks, readNamedClicks, type CountedLink } from './read-clicks.ts'

export function registerClicks(listeners: Listeners, platform: LinkPlatform): void {
  listeners.command('clicks', async ({ caller, target, text }) => {
    const { clock, replies } = platform
    const counted = await readNamedClicks(platform, caller, text)
    const { clicks, link } = counted
    await replies.sendWithPicture(caller.client, target, clicksChart(platform, caller, counted), {
      build: ({ picture }) => clicksMessage(counted, clock.now(), picture),
      buildPicture: (picture) =>
        clicks && chartMessage(readableUrl(link.shortlink_url), chartText(link, clicks), picture),
    })
  })
}

/** Shows the clicks on a link in a modal. The menu of a link calls this. */
export async function showClicks(
  platform: LinkPlatform,
  caller: Caller,
  link: ListLink,
  show: Show,
  operation: Operation,
): Promise<void> {
  const { clock } = platform
  const counted = await readClicks(platform, caller, link, operation)
  const source = clicksChart(platform, caller, counted)
  const showWith = (picture?: PictureState) => show(clicksModal(counted, clock.now(), picture))
  // Uploading the chart takes a while, so the figures are shown first.
  if (source.address === undefined && typeof source.upload === 'function') await showWith()
  await showWithPicture(clock, source, showWith)
}

function clicksChart({ chartSource }: LinkPlatform, caller: Caller, counted: CountedLink) {
  const { link, clicks } = counted
  const [first] = clicks?.days ?? []
  if (!clicks || !first) return NO_PICTURE
  const people = clicks.days.map((day) => day.people)
  const title = link.shortlink_url.replace(/^https?:\/\//, '')
  return chartSource(caller, { title, from: first.date, series: [{ name: '', people }] })
}

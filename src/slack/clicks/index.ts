import { createOperation, type Operation } from '../../port/operation.ts'
import type { PictureState } from '../block-kit/messages.ts'
import { readableUrl } from '../block-kit/mrkdwn.ts'
import { readCurrent } from '../links/current-link.ts'
import { findNamedLink } from '../links/find-link.ts'
import type { ListLink } from '../links/link-lists.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import type { Listeners } from '../platform/listeners.ts'
import { NO_PICTURE, showWithPicture } from '../platform/pictures.ts'
import type { Show } from '../platform/views.ts'
import {
  chartMessage,
  chartText,
  clicksMessage,
  clicksModal,
  type CountedLink,
} from './click-blocks.ts'

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

async function readClicks(
  { linkService }: LinkPlatform,
  { workspace }: Caller,
  link: ListLink,
  operation: Operation,
): Promise<CountedLink> {
  const { clicks: isOffered } = await linkService.requireCapabilities(workspace, 'reports clicks')
  if (!isOffered) return { link, total: link.clicks }
  return { link, clicks: await linkService.clicks(workspace, link.name, { operation }) }
}

export async function readNamedClicks(
  platform: LinkPlatform,
  caller: Caller,
  text: string,
): Promise<CountedLink> {
  const { linkService, permissions } = platform
  await permissions.checkMaySee(caller)
  const { workspace } = caller
  const operation = createOperation(platform)
  const { clicks: isOffered } = await linkService.capabilities(workspace)
  const named = { command: 'clicks', text }
  const found = await findNamedLink(platform, workspace, named, { operation, counts: !isOffered })
  const [counted, read] = await Promise.all([
    readClicks(platform, caller, found, operation),
    // A link from our own record might have changed since, and the record doesn't say whether the link is on.
    found.enabled === undefined ? readCurrent(platform, workspace, found.name) : undefined,
  ])
  return typeof read === 'object' ? { ...counted, link: read } : counted
}

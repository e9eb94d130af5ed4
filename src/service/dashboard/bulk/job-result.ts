import type { ComponentChildren } from 'preact'
import { html } from '../../../web/layout.ts'
import { formatCount, formatNumber } from '../../../web/numbers.ts'
import { PACKED, PostForm } from '../form.ts'
import { linkPagePath, withoutScheme } from '../link-elements.ts'
import { pack } from '../packed.ts'
import { alertBox, table } from '../page.ts'
import { resultPart } from '../streamed-page.ts'
import { ACTIONS, type ActionName } from './actions.ts'
import type { LinkResult } from './change-link.ts'
import type { Job } from './jobs.ts'

const SHOWN_SKIPPED = 100

export async function jobResult(
  { total, results, stopReason }: Job,
  name: ActionName,
  back: string,
  csrf: string,
): Promise<string> {
  const changed = results.filter(({ result }) => result === 'changed')
  const unchanged = results.filter(({ result }) => result === 'unchanged').length
  const skipped = results.filter(({ result }) => typeof result === 'object')
  const summary = `${formatCount(changed.length, 'link')} ${ACTIONS[name].done}, ${formatNumber(unchanged)} unchanged, ${formatNumber(skipped.length)} skipped.`
  const content = [
    stopReason !== undefined &&
      alertBox(
        `The work stopped after ${formatNumber(results.length)} of ${formatCount(total, 'link')}, because ${stopReason}. To change the other links, start again.`,
      ),
    html`<p class="lead" role="status">${summary}</p>`,
    name === 'turn-off' && changed.length > 0 && (await undoForm(changed, back)),
    html`<p><a href=${back}>Back to the links</a></p>`,
    skipped.length > 0 && skippedTable(skipped),
  ]
  return resultPart(content, csrf)
}

async function undoForm(
  turnedOff: readonly LinkResult[],
  back: string,
): Promise<ComponentChildren> {
  const packed = await pack(turnedOff.map(({ id }) => id).join('\n'))
  return html`<${PostForm} action="/dashboard/bulk/turn-on" enctype="multipart/form-data">
    <input type="hidden" name=${PACKED} value=${packed} />
    <input type="hidden" name="back" value=${back} />
    <button class="plain" aria-label=${`Undo: turn on ${formatCount(turnedOff.length, 'link')}`}>
      Undo
    </button>
  </${PostForm}>`
}

function skippedTable(skipped: readonly LinkResult[]): ComponentChildren {
  const rows = skipped
    .slice(0, SHOWN_SKIPPED)
    .map(({ id, shortUrl, result }) => [
      shortUrl !== undefined &&
        html`<a href=${linkPagePath({ id })}><bdi dir="ltr">${withoutScheme(shortUrl)}</bdi></a>`,
      typeof result === 'object' && result.skipped,
    ])
  return [
    skipped.length > SHOWN_SKIPPED && html`<p>These are the first ${SHOWN_SKIPPED}.</p>`,
    table('Skipped links', ['Link', 'Why it was skipped'], rows),
  ]
}

import { html } from '../../../web/layout.ts'
import { formatCount, formatNumber } from '../../../web/numbers.ts'
import { LARGE_TEXT, PostForm } from '../form.ts'
import { linkPagePath, withoutScheme } from '../link-elements.ts'
import { table } from '../page.ts'
import { ACTIONS, type ActionName } from './actions.ts'
import type { LinkResult } from './change-link.ts'

const SHOWN_SKIPPED = 100

export function jobResult(results: readonly LinkResult[], name: ActionName, listUrl: string) {
  const changed = results.filter(({ result }) => result === 'changed')
  const unchanged = results.filter(({ result }) => result === 'unchanged').length
  const skipped = results.filter(({ result }) => typeof result === 'object')
  const summary = `${formatCount(changed.length, 'link')} ${ACTIONS[name].pastParticiple}, ${formatNumber(unchanged)} unchanged, ${formatNumber(skipped.length)} skipped.`
  return [
    html`<p class="lead" role="status">${summary}</p>`,
    html`<div class="actions">
      ${name === 'turn-off' && changed.length > 0 && undoForm(changed, listUrl)}
      <a href=${listUrl}>Back to the links</a>
    </div>`,
    skipped.length > 0 && skippedTable(skipped),
  ]
}

function undoForm(turnedOff: readonly LinkResult[], listUrl: string) {
  const ids = turnedOff.map(({ id }) => id).join()
  return html`<${PostForm}
    action="/dashboard/bulk/turn-on"
    enctype="multipart/form-data"
    hidden=${{ [LARGE_TEXT]: ids, list_url: listUrl }}
  >
    <button class="plain" aria-label=${`Undo: turn on ${formatCount(turnedOff.length, 'link')}`}>
      Undo
    </button>
  </${PostForm}>`
}

function skippedTable(skipped: readonly LinkResult[]) {
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

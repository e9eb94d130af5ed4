import type { FastifyInstance, FastifyReply } from 'fastify'
import { validate as isUuid } from 'uuid'
import { formatCount, formatNumber } from '../../../web/numbers.ts'
import { html } from '../../../web/pages.ts'
import { findShownLink } from '../../store/links.ts'
import { needs, type DashboardContext } from '../access.ts'
import * as forms from '../form.ts'
import type { Jobs } from '../jobs.ts'
import { linkPagePath, withoutScheme } from '../link-elements.ts'
import { sendDashboardPage, sendForm, table } from '../page.ts'
import { ACTION_NAMES, ACTIONS, type ActionName, changeLink, type LinkResult } from './actions.ts'
import { type ChosenLinks, findChosenLinks, MAX_LINKS } from './chosen-links.ts'

const SHOWN_LINKS = 10
const SHOWN_SKIPPED = 100

const RUNNING_TEXT =
  'Working… You can close this page. The work continues, unless you sign out or the service restarts.'

/** The confirmation page contains the IDs of the links that it counts, so that the job changes these and no others. */
export async function bulkRoutes(
  scope: FastifyInstance,
  context: DashboardContext & { jobs: Jobs },
) {
  forms.acceptUploads(scope, MAX_LINKS * 37) // 36 characters of an ID, and a comma.

  for (const name of ACTION_NAMES) {
    const { need, label, verb, read } = ACTIONS[name]
    const path = `/dashboard/bulk/${name}`
    if (label !== undefined) {
      scope.get(path, needs(need), async (request, reply) => {
        const chosen = await findChosenLinks(context, request, need)
        return sendConfirmation(context, reply, name, chosen, forms.EMPTY_FORM)
      })
    }

    scope.post(path, needs(need), async (request, reply) => {
      const form: forms.FilledForm = { values: forms.formValues(request), errors: {} }
      const { list_url = '' } = form.values
      // A link to another site must not get into the page.
      const listUrl = list_url.startsWith('/dashboard?') ? list_url : '/dashboard'
      const ids = [...new Set((await forms.largeText(request)).split(',').filter(isUuid))]
      const newValues = read(form, context.now())
      if (ids.length === 0 || ids.length > MAX_LINKS || Object.keys(form.errors).length > 0) {
        return sendConfirmation(context, reply, name, { ids, listUrl, notChangeable: 0 }, form)
      }
      return context.jobs.send(reply, {
        title: `${verb} ${formatCount(ids.length, 'link')}`,
        runningText: RUNNING_TEXT,
        stopTexts: { subject: 'The work', advice: 'To change the other links, start again.' },
        unit: 'link',
        need,
        notAllowed: 'you signed out or can no longer change them',
        items: ids,
        start: async (batch, viewer) =>
          batch.map((id) => changeLink(context, viewer, id, need, newValues)),
        showResult: (results) => jobResult(results, name, listUrl),
      })
    })
  }
}

async function sendConfirmation(
  { db, addresses }: DashboardContext,
  reply: FastifyReply,
  name: ActionName,
  { ids, listUrl, notChangeable }: ChosenLinks,
  form: forms.FilledForm,
): Promise<FastifyReply> {
  if (ids.length === 0 || ids.length > MAX_LINKS)
    return sendUnusable(reply, ids.length > 0, listUrl)
  const { verb, lead, fields, need } = ACTIONS[name]
  const summary = `${verb} ${formatCount(ids.length, 'link')}`
  const action = `/dashboard/bulk/${name}`
  const hidden = { [forms.LARGE_TEXT]: ids.join(), list_url: listUrl }
  const { reach } = reply.request.viewer
  const firstLinks = await Promise.all(
    ids.slice(0, SHOWN_LINKS).map((id) => findShownLink(db, reach, id)),
  )
  const shownLinks = firstLinks.filter((link) => link !== undefined)
  const content = [
    html`<p class="lead">${lead}</p>`,
    notChangeable > 0 &&
      html`<p>
        ${formatCount(notChangeable, 'other link')}${notChangeable === 1 ? ' is' : ' are'} left out,
        because you can change only links that you created.
      </p>`,
    html`<ul>
      ${shownLinks.map(
        (link) => html`<li><bdi dir="ltr">${withoutScheme(addresses.shortUrl(link))}</bdi></li>`,
      )}
      ${
        ids.length > SHOWN_LINKS &&
        html`<li>and ${formatNumber(ids.length - SHOWN_LINKS)} more</li>`
      }
    </ul>`,
    html`<${forms.PostForm} action=${action} upload class="stack" hidden=${hidden}>
      ${fields?.(forms.formInputs(form))}
      <div class="actions">
        <button class=${need === 'shortlinks:delete' ? 'plain danger' : undefined}>${summary}</button>
        <a href=${listUrl}>Cancel</a>
      </div>
    </${forms.PostForm}>`,
  ]
  return sendForm(reply, { title: `${summary}?`, content }, form)
}

function sendUnusable(reply: FastifyReply, isTooMany: boolean, listUrl: string): FastifyReply {
  const content = [
    html`<p class="lead">
      ${
        isTooMany
          ? `You can change at most ${formatNumber(MAX_LINKS)} links at once. Narrow the list with the search or the filters.`
          : 'Select the links on the list first. Deleted links, and links that you can’t change, can’t be selected.'
      }
    </p>`,
    html`<p><a href=${listUrl}>Back to the links</a></p>`,
  ]
  const title = isTooMany ? 'Too many links' : 'No links are selected'
  return sendDashboardPage(reply, { title, content }, 422)
}

function jobResult(results: readonly LinkResult[], name: ActionName, listUrl: string) {
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
  const hidden = { [forms.LARGE_TEXT]: ids, list_url: listUrl }
  return html`<${forms.PostForm} action="/dashboard/bulk/turn-on" upload hidden=${hidden}>
    <button class="plain" aria-label=${`Undo: turn on ${formatCount(turnedOff.length, 'link')}`}>
      Undo
    </button>
  </${forms.PostForm}>`
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

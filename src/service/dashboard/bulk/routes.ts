import type { FastifyInstance, FastifyReply } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import { validate as isUuid } from 'uuid'
import { html } from '../../../web/layout.ts'
import { formatCount, formatNumber } from '../../../web/numbers.ts'
import type { LinkContext } from '../../store/context.ts'
import { needs, type ReadContext } from '../access.ts'
import {
  acceptUploads,
  EMPTY_FORM,
  type FilledForm,
  formInputs,
  formValues,
  PACKED,
  PostForm,
} from '../form.ts'
import { withoutScheme } from '../link-elements.ts'
import { pack, readPacked } from '../packed.ts'
import { sendDashboardPage } from '../page.ts'
import { progressPart, sendStreamedPage } from '../streamed-page.ts'
import { ACTION_NAMES, ACTIONS, type ActionName } from './actions.ts'
import { type ChosenLinks, findChosenLinks, MAX_LINKS } from './chosen-links.ts'
import { createJobs, type Job } from './jobs.ts'
import { jobResult } from './job-result.ts'

const MAX_IDS_BYTES = MAX_LINKS * 37
const PROGRESS_EVERY_MS = 500

const RUNNING =
  'Working… You can close this page. The work continues, unless you sign out or the service restarts.'

/**
 * Changes many links. The list leads to a confirmation page, whose form has the IDs of exactly the links that it counted.
 * Submitting it starts a job. Submitting it twice changes nothing more.
 */
export function bulkRoutes(context: LinkContext & ReadContext) {
  const jobs = createJobs(context)
  return async (scope: FastifyInstance) => {
    acceptUploads(scope, MAX_IDS_BYTES)
    scope.addHook('preClose', async () => jobs.stop())
    scope.addHook('onClose', async () => {
      await jobs.ended()
    })

    for (const name of ACTION_NAMES) {
      const { need, label, read } = ACTIONS[name]
      const path = `/dashboard/bulk/${name}`
      if (label !== undefined) {
        scope.get(path, needs(need), async (request, reply) => {
          const chosen = await findChosenLinks(context, request, need)
          const { links, back, isTooMany } = chosen
          if (isTooMany || links.length === 0) return sendUnusable(reply, isTooMany, back)
          const packed = await pack(links.map(({ id }) => id).join('\n'))
          const confirmed = { count: links.length, packed, back, chosen }
          return sendConfirmation(reply, name, confirmed, EMPTY_FORM)
        })
      }

      scope.post(path, needs(need), async (request, reply) => {
        const values = formValues(request)
        const { back: from = '' } = values
        const back = from.startsWith('/dashboard?') ? from : '/dashboard'
        const sent = await readPacked(request, MAX_IDS_BYTES)
        const ids = [...new Set(sent?.bytes.toString('latin1').split('\n').filter(isUuid))]
        if (!sent || ids.length === 0) return sendUnusable(reply, false, back)
        const errors: FilledForm['errors'] = {}
        const newValues = read(values, errors, context.now())
        if (Object.keys(errors).length > 0) {
          const confirmed = { count: ids.length, packed: sent.packed, back }
          return sendConfirmation(reply, name, confirmed, { values, errors })
        }
        const job = jobs.start(request, ids, { need, newValues })
        const title = `${ACTIONS[name].verb} ${formatCount(ids.length, 'link')}`
        const parts = jobParts(job, name, back, reply.generateCsrf())
        return sendStreamedPage(reply, title, RUNNING, parts)
      })
    }
  }
}

async function* jobParts(
  job: Job,
  name: ActionName,
  back: string,
  csrf: string,
): AsyncGenerator<string, void> {
  const ended = job.ended.then(() => true)
  do yield progressPart(job.results.length, job.total, 'link')
  while (!(await Promise.race([ended, sleep(PROGRESS_EVERY_MS, false, { ref: false })])))
  yield await jobResult(job, name, back, csrf)
}

const SHOWN_LINKS = 10

interface Confirmed {
  count: number
  packed: string
  back: string
  chosen?: ChosenLinks
}

function sendConfirmation(
  reply: FastifyReply,
  name: ActionName,
  { count, packed, back, chosen }: Confirmed,
  form: FilledForm,
): FastifyReply {
  const { verb, lead, fields, need } = ACTIONS[name]
  const what = `${verb} ${formatCount(count, 'link')}`
  const shown = chosen?.links.slice(0, SHOWN_LINKS) ?? []
  const leftOut = chosen?.leftOut ?? 0
  const content = [
    html`<p class="lead">${lead}</p>`,
    leftOut > 0 &&
      html`<p>
        ${formatCount(leftOut, 'other link')}${leftOut === 1 ? ' is' : ' are'} left out, because you
        can change only links that you created.
      </p>`,
    shown.length > 0 &&
      html`<ul>
        ${shown.map(({ shortUrl }) => html`<li><bdi dir="ltr">${withoutScheme(shortUrl)}</bdi></li>`)}
        ${count > shown.length && html`<li>and ${formatNumber(count - shown.length)} more</li>`}
      </ul>`,
    html`<${PostForm} action=${`/dashboard/bulk/${name}`} enctype="multipart/form-data" class="stack">
      <input type="hidden" name=${PACKED} value=${packed} />
      <input type="hidden" name="back" value=${back} />
      ${fields?.(formInputs(form))}
      <div class="actions">
        <button class=${need === 'shortlinks:delete' ? 'plain danger' : undefined}>${what}</button>
        <a href=${back}>Cancel</a>
      </div>
    </${PostForm}>`,
  ]
  const status = Object.keys(form.errors).length > 0 ? 422 : 200
  return sendDashboardPage(reply, { title: `${what}?`, content }, status)
}

function sendUnusable(reply: FastifyReply, isTooMany: boolean, back: string): FastifyReply {
  const content = [
    html`<p class="lead">
      ${
        isTooMany
          ? `You can change at most ${formatNumber(MAX_LINKS)} links at once. Narrow the list with the search or the filters.`
          : 'Select the links on the list first. Deleted links, and links that you can’t change, can’t be selected.'
      }
    </p>`,
    html`<p><a href=${back}>Back to the links</a></p>`,
  ]
  const title = isTooMany ? 'Too many links' : 'No links are selected'
  return sendDashboardPage(reply, { title, content }, 422)
}

import type { FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { validate as isUuid } from 'uuid'
import { formatCount } from '../../../web/numbers.ts'
import { html, readAsset } from '../../../web/pages.ts'
import type { LinkPage } from '../../store/link-search.ts'
import { findShownLink, type LinkRow } from '../../store/links.ts'
import { type DashboardContext, may, type Viewer } from '../access.ts'
import { withoutScheme } from '../link-elements.ts'
import { type LinksQuery, listPath, parseLinksQuery, readListedLinks } from '../list-query.ts'
import { ACTION_NAMES, ACTIONS, type BulkAction } from './actions.ts'

export const MAX_LINKS = 10_000

export const mayChange = (viewer: Viewer, link?: LinkRow): boolean =>
  may(viewer, 'shortlinks:update', link) || may(viewer, 'shortlinks:delete', link)

export function linkBox(link: LinkRow, shortUrl: string) {
  return html`<input
    type="checkbox"
    name="link"
    value=${link.id}
    aria-label=${`Select: ${withoutScheme(shortUrl)}`}
    class="pick"
  />`
}

export function bulkForm(
  list: ComponentChildren,
  viewer: Viewer,
  query: LinksQuery,
  page: LinkPage,
) {
  const { total, hasMore, pages } = page
  const filters = [...new URLSearchParams(listPath(query, ''))]
  const matching = filters.some(([name]) => name !== 'sort') ? ' that match' : ''
  const count = hasMore ? 'All links' : `All ${formatCount(total, 'link')}`
  return html`<form method="get" action="/dashboard/bulk/turn-off" class="bulk">
    ${filters.map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
    <div class="picked">
      <label class="checkbox" hidden>
        <input type="checkbox" id="select-all" /> Select all on this page
      </label>
      ${
        (pages > 1 || hasMore) &&
        html`<label class="checkbox">
          <input type="checkbox" name="all" value="true" /> ${count + matching}
        </label>`
      }
      <div class="actions">
        ${ACTION_NAMES.map((name) => {
          const { label, need } = ACTIONS[name]
          if (label === undefined || !may(viewer, need)) return null
          const style = name === 'delete' ? 'plain danger' : 'plain'
          return html`<button class=${style} formaction=${`/dashboard/bulk/${name}`}>
            ${label}
          </button>`
        })}
      </div>
    </div>
    ${list}
  </form>`
}

export const SELECT_ALL_SCRIPT = readAsset('select-all.js', import.meta.url)

export interface ChosenLinks {
  /** If there are MAX_LINKS + 1 IDs, too many links were chosen, and the search has stopped. */
  ids: string[]
  notChangeable: number
  listUrl: string
}

export async function findChosenLinks(
  context: DashboardContext,
  request: FastifyRequest,
  need: BulkAction['need'],
): Promise<ChosenLinks> {
  const { viewer } = request
  const { link: checkedIds, all } = request.query as Record<string, unknown>
  const listUrl = listPath(parseLinksQuery(request.query))
  const chosen: ChosenLinks = { ids: [], notChangeable: 0, listUrl }
  const add = (link: LinkRow): void => {
    if (link.deleted_at !== null || chosen.ids.length > MAX_LINKS) return
    if (may(viewer, need, link)) chosen.ids.push(link.id)
    else chosen.notChangeable++
  }
  if (all !== 'true') {
    for (const id of new Set([checkedIds].flat().filter(isUuid) as string[])) {
      const link = await findShownLink(context.db, viewer.reach, id)
      if (link) add(link)
    }
    return chosen
  }
  for await (const links of readListedLinks(context, request)) {
    for (const link of links) add(link)
    if (chosen.ids.length > MAX_LINKS) break
  }
  return chosen
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BOM, toCsv } from '../../csv/csv.ts'
import { groupLabel, MAX_REPORT_GROUPS, NAMED_FILTERS, reportQuery } from '../../contract/report.ts'
import { reportRange } from '../store/clicks.ts'
import { listNames } from '../store/names.ts'
import { readReport } from '../store/report.ts'
import { needs, type DashboardContext, readQueue, type Viewer } from './access.ts'
import { sendCsv } from './csv/export.ts'
import { type FilledForm, formValues } from './form.ts'
import { chosenOwner, listMenus } from './menus.ts'
import { sendDashboardPage } from './page.ts'
import { NONE, reportPath, reportsPage, toRows } from './reports-page.ts'

const MAX_BEST_LINKS = 10
const MAX_SUGGESTIONS = 200

export async function reportRoutes(scope: FastifyInstance, context: DashboardContext) {
  const { inTurn, now } = context

  async function readForm({ query: sentQuery, viewer }: FastifyRequest) {
    const values = formValues({ body: sentQuery })
    const { query, errors } = parseReportForm(values, now())
    if ((values['creator'] || values['group_by'] === 'creator') && !seesCreators(viewer)) {
      errors['group_by'] =
        'Only editors and admins can see clicks by creator, and only if the workspace’s API key can change links.'
    }
    const chosen = await chosenOwner(context, viewer, values['owner'])
    const domain = values['domain'] || undefined
    const { owners, domains } = await listMenus(context, viewer, { owner: chosen?.id, domain })
    // The administrator sees the first owner until they choose one.
    const ownerId = chosen?.id ?? (values['owner'] ? '' : (owners[0]?.[0] ?? ''))
    if (ownerId === '') errors['owner'] = 'Choose a workspace.'
    else if (viewer.kind === 'administrator') values['owner'] = ownerId
    const creator = values['creator'] ? [[values['creator'], values['creator']] as const] : []
    return {
      form: { values, errors },
      menus: { owner: new Map(owners), domain: new Map(domains), creator: new Map(creator) },
      reach: { ...viewer, ownerId },
      query: Object.keys(errors).length === 0 ? query : undefined,
    }
  }

  async function sendReport(request: FastifyRequest, reply: FastifyReply) {
    const { form, menus, reach, query } = await readForm(request)
    const page = { form, menus, now: now() }
    if (!query) return sendDashboardPage(reply, reportsPage(page), 422)
    const read = (changes: object = {}) => readReport(context, reach, { ...query, ...changes })
    const [report, links, creators, ...names] = await inTurn(readQueue(request.viewer), () =>
      Promise.all([
        read(),
        read({ group_by: 'link', limit: MAX_BEST_LINKS }),
        seesCreators(request.viewer)
          ? read({ group_by: 'creator', creator: undefined })
          : undefined,
        ...NAMED_FILTERS.map(async (name) => {
          const { names } = await listNames(context.longReads, reach, name, MAX_SUGGESTIONS)
          return [name, names] as const
        }),
      ]),
    )
    for (const group of creators?.groups ?? []) {
      menus.creator.set(group.name || NONE, groupLabel(group, 'creator'))
    }
    // The chart is imported only here, because it loads d3, which nothing else needs.
    const charts = await import('../../chart/stacked-chart.ts')
    const shown = { report, links, charts, names: Object.fromEntries(names) }
    return sendDashboardPage(reply, reportsPage({ ...page, shown }))
  }

  async function sendTable(request: FastifyRequest, reply: FastifyReply) {
    const { form, reach, query } = await readForm(request)
    if (!query) return reply.redirect(reportPath(form.values), 303)
    const { group_by: by, from, to } = query
    const report = await inTurn(readQueue(request.viewer), () => readReport(context, reach, query))
    const rows = toRows(report).map((row) => [
      row.label,
      ...(by === 'link' ? [row.title ?? ''] : []),
      String(row.people),
      report.kept_since === undefined ? String(row.previous_people) : '',
    ])
    const columns = [by, ...(by === 'link' ? ['title'] : []), 'clicks', 'clicks_before']
    return sendCsv(reply, `report-${from}-${to}.csv`, [BOM, toCsv([columns, ...rows])])
  }

  scope.get('/dashboard/reports', needs('shortlinks:read'), sendReport)
  scope.get('/dashboard/reports.csv', needs('shortlinks:read'), sendTable)
}

function seesCreators(viewer: Viewer): boolean {
  if (viewer.kind === 'administrator') return true
  return viewer.role !== 'creator' && viewer.scopes.has('shortlinks:update')
}

function parseReportForm(values: Record<string, string>, now: number) {
  const parameters: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    if (value !== '') parameters[name] = value === NONE ? '' : value
  }
  parameters['limit'] = String(MAX_REPORT_GROUPS)
  const { data, error } = reportQuery.strip().safeParse(parameters)
  const errors: FilledForm['errors'] = {}
  for (const { path, message } of error?.issues ?? []) errors[String(path[0])] = message
  const { error: rangeError, ...range } = reportRange(data ?? {}, now)
  if (rangeError !== undefined) errors['from'] = rangeError
  return { query: data && { ...data, ...range }, errors }
}

import type { ComponentChildren } from 'preact'
import { rangeText } from '../../chart/click-figures.ts'
import { changeText, percentChange } from '../../chart/report-figures.ts'
import type * as Charts from '../../chart/stacked-chart.ts'
import {
  groupLabel,
  REPORT_GROUP_NAMES,
  REPORT_GROUPS,
  type Report,
} from '../../contract/report.ts'
import { html } from '../../web/layout.ts'
import { formatNumber } from '../../web/numbers.ts'
import { daysUntil } from '../store/click-report.ts'
import { type FilledForm, formInputs } from './form.ts'
import { withoutScheme } from './links-page.ts'
import { type DashboardPage, table } from './page.ts'

/** What a filter says to find links without such a value. An empty field is no filter. */
export const NONE = '(none)'

/** The texts of the values that a menu has; undefined: there is no such menu. */
type Menus = Partial<Record<'owner' | 'domain' | 'maker', ReadonlyMap<string, string> | undefined>>

interface ReportsPage {
  form: FilledForm
  menus: Menus
  /** `YYYY-MM-DD` in UTC. */
  today: string
  /** Absent if the form has an error. */
  shown?: { report: Report; links: Report; draw: typeof Charts }
}

/** The clicks on an owner's links in a range of days, by groups of links. */
export function reportsPage({ form, menus, today, shown }: ReportsPage): DashboardPage {
  const { values } = form
  return {
    section: '/dashboard/reports',
    title: 'Reports',
    content: () => [
      html`<nav class="actions" aria-label="Periods">
        ${periods(today).map(([name, from, to]) => {
          const isShown = from === shown?.report.from && to === shown.report.to
          const path = reportPath({ ...values, from, to })
          return html`<a href=${path} aria-current=${isShown ? 'true' : undefined}>${name}</a>`
        })}
      </nav>`,
      reportForm(form, menus, shown?.report),
      shown && figures(values, filterText(values, menus), shown),
    ],
  }
}

/** The periods that can be chosen with one click. */
function periods(today: string): [name: string, from: string, to: string][] {
  const month = `${today.slice(0, 7)}-01`
  const before = daysUntil(month, 2).from
  return [
    ['This month', month, today],
    ['Last month', `${before.slice(0, 7)}-01`, before],
    ['Last 30 days', daysUntil(today, 30).from, today],
    ['This year', `${today.slice(0, 4)}-01-01`, today],
  ]
}

/** The address of a report, or of its table as a CSV file. */
export function reportPath(values: Record<string, string>, path = '/dashboard/reports'): string {
  const filled = Object.entries(values).filter(([, value]) => value !== '')
  return `${path}?${new URLSearchParams(filled).toString()}`
}

function reportForm(
  form: FilledForm,
  menus: Menus,
  { from = '', to = '' }: Partial<Report> = {},
): ComponentChildren {
  const { field, menu } = formInputs(form, { from, to, group_by: 'utm_source' })
  const groups = REPORT_GROUPS.filter((group) => group !== 'maker' || menus.maker)
  return html`<form method="get" action="/dashboard/reports" class="filters">
    <div class="choices whole">
      ${menus.owner && menu('owner', 'Owner', [...menus.owner])}
      ${field('from', 'From', { type: 'date' })} ${field('to', 'To', { type: 'date' })}
      ${menu(
        'group_by',
        'Group by',
        groups.map((group) => [group, REPORT_GROUP_NAMES[group]]),
      )}
    </div>
    <details class="whole" open=${filterText(form.values, {}) !== ''}>
      <summary>Filters</summary>
      <div class="choices">
        ${field('utm_campaign', 'Campaign')} ${field('utm_source', 'Source')}
        ${field('utm_medium', 'Medium')} ${field('tag', 'Tags')}
        ${menu('domain', 'Domain', [['', 'All domains'], ...(menus.domain ?? [])])}
        ${menus.maker && menu('maker', 'Maker', [['', 'All makers'], ...menus.maker])}
      </div>
      <small>
        Type names as they are in the links, or ${NONE} for links without one. Put commas between
        tags.
      </small>
    </details>
    <button class="plain">Show report</button>
  </form>`
}

/** For example “Campaign: spring-sale · Source: newsletter”. */
function filterText(values: Record<string, string>, menus: Menus): string {
  const names = { ...(menus.owner && { owner: 'Owner' }), ...REPORT_GROUP_NAMES }
  return Object.entries(names)
    .filter(([name]) => values[name])
    .map(([name, label]) => {
      const value = values[name] ?? ''
      return `${label}: ${menus[name as keyof Menus]?.get(value) ?? value}`
    })
    .join(' · ')
}

function figures(
  values: Record<string, string>,
  filters: string,
  { report, links, draw }: Required<ReportsPage>['shown'],
): ComponentChildren[] {
  const { from, to, group_by: groupBy, total_people: total } = report
  const title = `Clicks by ${REPORT_GROUP_NAMES[groupBy].toLowerCase()}`
  return [
    html`<div class="found">
      <h2>${rangeText(from, to)}</h2>
      <a href=${reportPath(values, '/dashboard/reports.csv')}>Download CSV</a>
    </div>`,
    filters && html`<p class="lead">${filters}</p>`,
    html`<dl class="figures">
      <div>
        <dt>Clicks</dt>
        <dd>${formatNumber(total)}</dd>
      </div>
    </dl>`,
    html`<p>
      ${changeText(report)}. Only clicks by people are counted, and days are in UTC. Clicks count
      for the campaign, tags and so on that a link has now. Deleted links are left out.
    </p>`,
    total > 0 && draw.stackedChart(draw.reportChart(title, report)),
    groupTable(title, report, values, draw.pageColor),
    groupBy === 'tag' && html`<p>A link with several tags counts for each of them.</p>`,
    groupBy !== 'link' && groupTable('Links with the most clicks', links, values),
  ]
}

/** The groups of a report, and the clicks of all others, so that they add up to the total. */
export function rowsOf({ groups, group_by, ...totals }: Report) {
  const rows = groups.map((group) => ({ ...group, label: groupLabel(group, group_by) }))
  const people = groups.reduce((rest, group) => rest - group.people, totals.total_people)
  const before = groups.reduce(
    (rest, group) => rest - group.previous_people,
    totals.previous_people,
  )
  // Tags add up to more than the total.
  if (group_by === 'tag' || people + before <= 0) return rows
  const others = { name: undefined, title: undefined, label: 'All others' }
  return [...rows, { ...others, people, previous_people: before }]
}

/** @param colorOf the color that a group has in the chart, by its place */
function groupTable(
  title: string,
  report: Report,
  values: Record<string, string>,
  colorOf?: (at: number) => string,
): ComponentChildren {
  if (report.groups.length === 0) return null
  const rows = rowsOf(report).map((row, at) => [
    html`<span class="group">
      ${
        colorOf &&
        html`<svg width="12" height="12" aria-hidden="true">
          <rect width="12" height="12" rx="2" fill=${colorOf(at)} />
        </svg>`
      }
      ${groupCell(row, report, values)}
    </span>`,
    formatNumber(row.people),
    formatNumber(row.previous_people),
    percentChange(row.people, row.previous_people) ?? '–',
  ])
  const headings = [REPORT_GROUP_NAMES[report.group_by], 'Clicks', 'Before', 'Change']
  return [html`<h3>${title}</h3>`, table(title, headings, rows, 'sums')]
}

/** A link leads to its page. Another group leads to the report of its links. */
function groupCell(
  { name, label, title }: ReturnType<typeof rowsOf>[number],
  { group_by: groupBy }: Report,
  values: Record<string, string>,
): ComponentChildren {
  if (name === undefined) return label
  if (groupBy === 'link') {
    return html`<span>
      <a href=${`/dashboard/links/${name}`}>${withoutScheme(label)}</a>
      ${title && html`<small><bdi>${title}</bdi></small>`}
    </span>`
  }
  const tags = groupBy === 'tag' && name !== '' ? values['tag'] : undefined
  const filter = tags ? `${tags},${name}` : name || NONE
  const next = groupBy === 'utm_source' ? 'link' : 'utm_source'
  const path = reportPath({ ...values, [groupBy]: filter, group_by: next })
  return html`<a href=${path}><bdi>${label}</bdi></a>`
}

import { changeText, percentChange, rangeText } from '../../chart/click-figures.ts'
import type * as Charts from '../../chart/stacked-chart.ts'
import { groupLabel, rangeOf, GROUP_LABELS, REPORT_GROUPS } from '../../contract/report.ts'
import type { NamedFilter, Report } from '../../contract/report.ts'
import { parseTags } from '../../contract/tags.ts'
import { formatNumber } from '../../web/numbers.ts'
import { html } from '../../web/pages.ts'
import { type FilledForm, formInputs, type FormValues } from './form.ts'
import { withoutScheme } from './link-elements.ts'
import { figureList } from './link-sections.ts'
import { NO_OWNERS } from './menus.ts'
import { type DashboardPage, table } from './page.ts'

/** What the user types into a filter to find links without a value. An empty filter finds all links. */
export const NONE = '(none)'

interface Shown {
  report: Report
  links: Report
  charts: typeof Charts
  names: Partial<Record<NamedFilter, readonly string[]>>
}

interface ReportsPage {
  form: FilledForm
  menus: Record<'owner' | 'domain' | 'creator', ReadonlyMap<string, string>>
  now: number
  shown?: Shown
}

export function reportsPage(page: ReportsPage): DashboardPage {
  const { values } = page.form
  const { from, to } = page.shown?.report ?? {}
  return {
    title: 'Reports',
    content: [
      html`<nav class="actions" aria-label="Periods">
        ${PERIODS.map((name) => {
          const range = rangeOf(name.toLowerCase(), page.now)
          const isShown = range.from === from && range.to === to
          const path = reportPath({ ...values, ...range })
          return html`<a href=${path} aria-current=${isShown ? 'true' : undefined}>${name}</a>`
        })}
      </nav>`,
      page.shown && figures(page, page.shown),
      page.form.errors['owner'] && page.menus.owner.size === 0 ? NO_OWNERS : reportForm(page),
      page.shown && tables(values, page.shown),
    ],
  }
}

const PERIODS = ['This week', 'Last week', 'This month', 'Last month', 'Last 30 days', 'This year']

export function reportPath(values: FormValues, path = '/dashboard/reports'): string {
  const filled = Object.entries(values).filter(([, value]) => value !== '')
  return `${path}?${new URLSearchParams(filled).toString()}`
}

function reportForm({ form, menus, shown }: ReportsPage) {
  const { from = '', to = '' } = shown?.report ?? {}
  const { field, menu, tagField } = formInputs(form, { from, to, group_by: 'utm_source' })
  const fieldWithSuggestions = (name: Exclude<NamedFilter, 'tag'>, label: string) =>
    field(name, label, { suggestions: shown?.names[name] })
  const hasCreators = menus.creator.size > 0 || form.values['group_by'] === 'creator'
  const groups = REPORT_GROUPS.filter((group) => group !== 'creator' || hasCreators)
  const options = groups.map((group) => [group, GROUP_LABELS[group]] as const)
  return html`<form method="get" action="/dashboard/reports" class="filters">
    <details class="whole" open=${Object.keys(form.errors).length > 0}>
      <summary>Dates and filters</summary>
      <div class="choices">
        ${menus.owner.size > 0 && menu('owner', 'Workspace', [...menus.owner])}
        ${field('from', 'From', { type: 'date' })} ${field('to', 'To', { type: 'date' })}
        ${menu('group_by', 'Group by', options)} ${fieldWithSuggestions('utm_campaign', 'Campaign')}
        ${fieldWithSuggestions('utm_source', 'Source')}
        ${fieldWithSuggestions('utm_medium', 'Medium')}
        ${tagField('tag', 'Tags', shown?.names.tag ?? [])}
        ${menu('domain', 'Domain', [['', 'All domains'], ...menus.domain])}
        ${menus.creator.size > 0 && menu('creator', 'Creator', [['', 'All creators'], ...menus.creator])}
      </div>
      <small>Type ${NONE} for links without a value. Separate tags with commas.</small>
      <button class="plain">Show report</button>
    </details>
  </form>`
}

function figures({ form: { values }, menus }: ReportsPage, { report, charts }: Shown) {
  const { from, to, total_people: total } = report
  const title = reportTitle(report)
  const menuTexts: Partial<Record<string, ReadonlyMap<string, string>>> = menus
  const filters = Object.entries({ owner: 'Workspace', ...GROUP_LABELS }).flatMap(
    ([name, label]) => {
      const value = values[name]
      return value ? `${label}: ${menuTexts[name]?.get(value) ?? value}` : []
    },
  )
  return [
    html`<div class="found">
      <h2>${rangeText(from, to)}</h2>
      <a href=${reportPath(values, '/dashboard/reports.csv')}>Download CSV</a>
    </div>`,
    html`<p class="lead">${filters.join(' · ')}</p>`,
    (report.unknown ?? []).map((unknown) => unknownName(unknown, values)),
    !report.unknown && [figureList([['Clicks', total]]), html`<p>${changeText(report)}.</p>`],
    total > 0 && [
      charts.stackedChart(charts.reportChart(title, report)),
      html`<p><small>Each bar is one ${charts.barUnit(report.days.length)}.</small></p>`,
    ],
  ]
}

const reportTitle = ({ group_by: by }: Report): string =>
  `Clicks by ${GROUP_LABELS[by].toLowerCase()}`

function unknownName(unknown: NonNullable<Report['unknown']>[number], values: FormValues) {
  const { filter, name, nearest } = unknown
  const links = nearest.map((known, index) => {
    const tags = parseTags(values['tag'] ?? '').map((tag) => (tag === name ? known : tag))
    const corrected = { ...values, [filter]: filter === 'tag' ? tags.join() : known }
    return html`${index > 0 && ' or '}<a href=${reportPath(corrected)}><bdi>${known}</bdi></a>`
  })
  return html`<p>
    No link has the ${GROUP_LABELS[filter].toLowerCase()} <b><bdi>${name}</bdi></b
    >. ${links.length > 0 && html`${' '}Did you mean ${links}?`}
  </p>`
}

function tables(values: FormValues, { report, links, charts }: Shown) {
  const { group_by: groupBy } = report
  return [
    groupTable(reportTitle(report), report, values, charts.pageColor),
    groupBy === 'tag' &&
      html`<p>A link with several tags counts toward each, so the rows can exceed the total.</p>`,
    groupBy !== 'link' && groupTable('Links with the most clicks', links, values),
    html`<p>
      Only clicks by people are counted, and days are in UTC. Each click counts toward the campaign,
      tags and so on that its link has now. Deleted links are left out.
    </p>`,
  ]
}

/** Returns a row for each group of a report, and a row “All others”, so that the rows add up to the total. */
export function toRows({ groups, group_by, total_people, previous_people: before }: Report) {
  const rows = groups.map((group) => ({ ...group, label: groupLabel(group, group_by) }))
  const people = rows.reduce((rest, row) => rest - row.people, total_people)
  const previous_people = rows.reduce((rest, row) => rest - row.previous_people, before)
  // Groups by tag can add up to more than the total.
  if (group_by === 'tag' || people + previous_people <= 0) return rows
  const noGroup = { name: undefined, title: undefined, destination_host: undefined }
  return [...rows, { ...noGroup, label: 'All others', people, previous_people }]
}

function groupTable(
  title: string,
  report: Report,
  values: FormValues,
  colorOf?: (index: number) => string,
) {
  if (report.groups.length === 0) return null
  const headings = [GROUP_LABELS[report.group_by], 'Clicks', 'Before', 'Change']
  const rows = toRows(report).map(({ people, previous_people: before, ...group }, index) => [
    html`<span class="group">
      ${
        colorOf &&
        html`<svg width="12" height="12" aria-hidden="true">
          <rect width="12" height="12" rx="2" fill=${colorOf(index)} />
        </svg>`
      }
      ${groupCell(group, report, values)}
    </span>`,
    formatNumber(people),
    report.kept_since === undefined ? formatNumber(before) : '–',
    (report.kept_since === undefined && percentChange(people, before)) || '–',
  ])
  return [html`<h3>${title}</h3>`, table(title, headings, rows, 'sums')]
}

function groupCell(
  row: Omit<ReturnType<typeof toRows>[number], 'people' | 'previous_people'>,
  { group_by: by }: Report,
  values: FormValues,
) {
  const { name, label, title, destination_host: host } = row
  if (name === undefined) return label
  const tags = by === 'tag' && name !== '' && values['tag']
  const filter = tags ? `${tags},${name}` : name || NONE
  const narrowed = {
    ...values,
    [by]: filter,
    group_by: by === 'utm_source' ? 'link' : 'utm_source',
  }
  return html`<span>
    <a href=${by === 'link' ? `/dashboard/links/${name}` : reportPath(narrowed)}
      ><bdi>${by === 'link' ? withoutScheme(label) : label}</bdi></a
    >
    ${title && html`<small><bdi>${title}</bdi></small>`}
    ${host && html`<small>→ <bdi>${host}</bdi></small>`}
  </span>`
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { z } from 'zod'
import { longDate } from '../../chart/click-figures.ts'
import { formatNumber } from '../../web/numbers.ts'
import { defineLayout, html, type HtmlPage, LOGO, readAsset, sendPage } from '../../web/pages.ts'
import { may, type Need, personName, type Viewer } from './access.ts'
import { type FilledForm, PostForm } from './form.ts'

export const DASHBOARD_STYLE = readAsset('dashboard.css', import.meta.url)

const COPY_SCRIPT = readAsset('copy.js', import.meta.url)

const LAYOUT = defineLayout({ width: 'wide', css: DASHBOARD_STYLE, forms: true })

const SECTIONS = [
  ['/dashboard', 'Links', 'shortlinks:read'],
  ['/dashboard/reports', 'Reports', 'shortlinks:read'],
  ['/dashboard/tags', 'Tags', 'shortlinks:read'],
  ['/dashboard/keys', 'API keys', 'owner_access'],
  ['/dashboard/domains', 'Domains', 'administrator'],
  ['/dashboard/owners', 'Workspaces', 'administrator'],
  ['/dashboard/sessions', 'Sessions', 'owner_access'],
  ['/docs', 'API docs', 'session'],
] as const satisfies [path: string, name: string, needs: Need][]

function currentSection({ request }: FastifyReply): string {
  const { url = '' } = request.routeOptions
  return SECTIONS.findLast(([path]) => url.startsWith(path))?.[0] ?? ''
}

export const BRAND = html`<span class="brand">${LOGO}Backhalf</span>`

export interface DashboardPage {
  title: string
  actions?: ComponentChildren
  content: ComponentChildren
  copies?: boolean
  script?: string
}

export function renderDashboardPage(reply: FastifyReply, page: DashboardPage): HtmlPage {
  const { title, actions, content, copies = false, script = '' } = page
  const { viewer } = reply.request
  const section = currentSection(reply)
  return LAYOUT.render({
    title: `${title} · Backhalf`,
    header: html`<header class="bar">
      <a href="/dashboard">${BRAND}</a>
      <nav aria-label="Dashboard">
        ${SECTIONS.filter(([, , needs]) => may(viewer, needs)).map(
          ([path, name]) =>
            html`<a href=${path} aria-current=${path === section ? 'page' : undefined}>${name}</a>`,
        )}
      </nav>
      <${PostForm} action="/dashboard/sign-out">
        <button class="plain">Sign out</button>
      </${PostForm}>
      ${sessionText(viewer)}
    </header>`,
    content: [
      html`<div class="heading">
        <h1><bdi>${title}</bdi></h1>
        ${actions && html`<div class="actions">${actions}</div>`}
      </div>`,
      content,
      copies && html`<p class="toast" id="copied" role="status"></p>`,
    ],
    csrf: reply.generateCsrf(),
    script: (copies ? COPY_SCRIPT : '') + script,
  })
}

const ROLES = { creator: 'creator', editor: 'editor', admin: 'workspace admin' } as const

function sessionText(viewer: Viewer) {
  if (viewer.kind === 'administrator') return null
  const { role, workspace, endsAt } = viewer
  return html`<p class="who">
    <b><bdi>${personName(viewer)}</bdi></b> (${ROLES[role]}) in <bdi>${workspace}</bdi>, signed in
    until ${hourText(endsAt)}
  </p>`
}

/** The Cache-Control of a form that is shown with errors. Without a stored copy, *Back* would submit it again. */
export const KEPT_FOR_BACK = 'private, no-cache'

export function sendDashboardPage(reply: FastifyReply, page: DashboardPage, status = 200) {
  const isRejectedForm = status >= 400 && reply.request.method === 'POST'
  const cacheControl = isRejectedForm ? KEPT_FOR_BACK : 'no-store'
  return sendPage(reply, status, renderDashboardPage(reply, page), cacheControl)
}

/** Sends a page with a form: 422 if there are errors in its fields, and 409 if it is refused as a whole. */
export function sendForm(reply: FastifyReply, page: DashboardPage, form: FilledForm) {
  const { errors, alert, status } = form
  let usualStatus = alert ? 409 : 200
  if (Object.keys(errors).length > 0) usualStatus = 422
  const content = [alert && alertBox(alert), page.content]
  return sendDashboardPage(reply, { ...page, content }, status ?? usualStatus)
}

export function alertBox(content: ComponentChildren) {
  return html`<div class="alert" role="alert">${content}</div>`
}

export type Fact = readonly [name: string, value: ComponentChildren] | false

export function factList(facts: readonly Fact[]) {
  return html`<dl>
    ${facts.map((fact) => fact && [html`<dt>${fact[0]}</dt>`, html`<dd>${fact[1]}</dd>`])}
  </dl>`
}

export function withNote(text: string, note: string | null) {
  return html`<div>
    <bdi>${text}</bdi> ${note !== null && html`<small><bdi>${note}</bdi></small>`}
  </div>`
}

/** Works only on a page with `copies: true`. @param label for screen readers */
export function copyButton(text: string, label: string) {
  return html`<button type="button" class="plain copy" data-copy=${text} aria-label=${label} hidden>
    Copy
  </button>`
}

/** @param about names the record, for screen readers that read the link without its context */
export function actionLink(path: string, label: string, about: string, danger = false) {
  return html`<a class=${danger && 'danger'} href=${path} aria-label=${`${label}: ${about}`}
    >${label}</a
  >`
}

export function sendRefusal(reply: FastifyReply, reason: string): FastifyReply {
  const content = [
    html`<p class="lead">${reason}</p>`,
    html`<p>
      ${reply.request.method === 'POST' && 'Nothing was changed. '}
      <a href="/dashboard">Go back to the links</a>
    </p>`,
  ]
  return sendDashboardPage(reply, { title: 'You can’t do this', content }, 403)
}

export function sendNotFound(reply: FastifyReply): FastifyReply {
  const content = html`<p class="lead">
    The address is wrong, or what was here has been removed.${' '}
    <a href=${currentSection(reply)}>Go back to the list</a>
  </p>`
  return sendDashboardPage(reply, { title: 'Page not found', content }, 404)
}

export function day(milliseconds: number) {
  const iso = new Date(milliseconds).toISOString()
  return html`<time datetime=${iso} title=${iso}>${longDate(iso)}</time>`
}

export function moment(milliseconds: number) {
  const iso = new Date(milliseconds).toISOString()
  return html`<time datetime=${iso}>${momentText(milliseconds)}</time>`
}

export function momentText(milliseconds: number): string {
  return `${longDate(new Date(milliseconds).toISOString())}, ${hourText(milliseconds)}`
}

export function hourText(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(11, 16)} UTC`
}

export const pageNumber = z.coerce.number().int().min(1).max(1_000_000).catch(1)

export function pageAsked({ query }: FastifyRequest): number {
  return pageNumber.parse((query as { page?: string }).page)
}

export function pager(path: string, page: number, hasNext: boolean, pages?: number) {
  const to = (target: number): string => `${path}${path.includes('?') ? '&' : '?'}page=${target}`
  if (page === 1 && !hasNext) return null
  return html`<nav class="pager" aria-label="Pages">
    ${page > 1 && html`<a href=${to(page - 1)} rel="prev">Previous</a>`}
    <span>Page ${page}${pages !== undefined && ` of ${formatNumber(pages)}`}</span>
    ${hasNext && html`<a href=${to(page + 1)} rel="next">Next</a>`}
  </nav>`
}

/**
 * Leaves out the columns whose heading is false. On a phone, each row becomes a card: `labeled` shows each heading with
 * its cell, `links` has two lines (name, url, copy, count and state), and in `sums` the first cell has its own line.
 */
export function table(
  caption: string,
  headings: readonly (string | false)[],
  rows: readonly (readonly ComponentChildren[])[],
  cards: 'labeled' | 'links' | 'sums' = 'labeled',
) {
  return html`<table class=${`records ${cards}`}>
    <caption class="hidden">
      ${caption}
    </caption>
    <thead>
      <tr>
        ${headings.map((heading) => heading && html`<th scope="col">${heading}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell, column) => headings[column] && html`<td data-heading=${headings[column]}><div>${cell}</div></td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`
}

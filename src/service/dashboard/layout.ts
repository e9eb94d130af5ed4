import type { ComponentChildren } from 'preact'
import { html } from '../pages/html.ts'
import { widePage } from '../pages/wide-page.ts'

const SECTIONS = [
  ['/dashboard', 'Links'],
  ['/dashboard/keys', 'API keys'],
  ['/dashboard/domains', 'Domains'],
] as const

/** Which product this is. */
export const BRAND = html`<span class="brand">
  <img src="/favicon.svg" alt="" width="28" height="28" />Backhalf
</span>`

/** What was typed into a form, with what is wrong with it by field. */
export interface FilledForm {
  values: Record<string, string>
  faults: Record<string, string>
}

export const EMPTY_FORM: FilledForm = { values: {}, faults: {} }

export type Section = (typeof SECTIONS)[number][0]

/** A page of somebody who is signed in. */
export function dashboardPage({
  section,
  title,
  csrf,
  content,
  script,
}: {
  section: Section | undefined
  title: string
  csrf: string
  content: ComponentChildren
  script?: string
}): string {
  return widePage({
    title: `${title} · Backhalf`,
    header: html`<header class="bar">
      <a href="/dashboard">${BRAND}</a>
      <nav aria-label="Dashboard">
        ${SECTIONS.map(
          ([path, name]) =>
            html`<a href=${path} aria-current=${path === section ? 'page' : undefined}>${name}</a>`,
        )}
      </nav>
      <form method="post" action="/dashboard/sign-out">
        ${csrfField(csrf)}
        <button class="plain">Sign out</button>
      </form>
    </header>`,
    content: [html`<h1><bdi>${title}</bdi></h1>`, content],
    ...(script !== undefined && { script }),
  })
}

/** What every form of the dashboard carries. */
export function csrfField(csrf: string): ComponentChildren {
  return html`<input type="hidden" name="_csrf" value=${csrf} />`
}

/** A button that does one thing with one record. */
export function postButton({
  action,
  csrf,
  label,
  about,
  danger = false,
}: {
  action: string
  csrf: string
  label: string
  /** The record, for people who hear the button without seeing its row. */
  about: string
  danger?: boolean
}): ComponentChildren {
  return html`<form method="post" action=${action}>
    ${csrfField(csrf)}
    <button class=${danger ? 'plain danger' : 'plain'} aria-label=${`${label}: ${about}`}>
      ${label}
    </button>
  </form>`
}

/** A labelled input; what is wrong with it stands below, and a page with a fault opens there. */
export function field({
  name,
  label,
  value = '',
  hint,
  fault,
  ...attributes
}: {
  name: string
  label: string
  value?: string
  hint?: string
  fault?: string | undefined
  required?: boolean
  maxLength?: number
  type?: string
  autocomplete?: string
}): ComponentChildren {
  const described = fault ? `${name}-fault` : hint ? `${name}-hint` : undefined
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <input
      id=${name}
      name=${name}
      value=${value}
      aria-describedby=${described}
      aria-invalid=${fault ? 'true' : undefined}
      autofocus=${Boolean(fault)}
      ...${attributes}
    />
    ${hint && html`<small id=${`${name}-hint`}>${hint}</small>`}
    ${fault && html`<small class="fault" id=${`${name}-fault`}>${fault}</small>`}
  </div>`
}

export function select({
  name,
  label,
  value,
  options,
  fault,
}: {
  name: string
  label: string
  value: string
  options: readonly (readonly [value: string, text: string])[]
  fault?: string | undefined
}): ComponentChildren {
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <select
      id=${name}
      name=${name}
      aria-describedby=${fault ? `${name}-fault` : undefined}
      aria-invalid=${fault ? 'true' : undefined}
      autofocus=${Boolean(fault)}
    >
      ${options.map(
        ([option, text]) =>
          html`<option value=${option} selected=${option === value}>${text}</option>`,
      )}
    </select>
    ${fault && html`<small class="fault" id=${`${name}-fault`}>${fault}</small>`}
  </div>`
}

/** A day, for example 1 Mar 2027, in UTC. */
export function day(milliseconds: number): ComponentChildren {
  const date = new Date(milliseconds)
  const text = date.toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
  return html`<time datetime=${date.toISOString()} title=${date.toISOString()}>${text}</time>`
}

/** A table whose rows become cards on a phone: each cell says under which heading it stands. */
export function table(
  caption: string,
  headings: readonly string[],
  rows: readonly (readonly ComponentChildren[])[],
): ComponentChildren {
  return html`<table class="records">
    <caption class="hidden">
      ${caption}
    </caption>
    <thead>
      <tr>
        ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell, at) => html`<td data-heading=${headings[at]}><div>${cell}</div></td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`
}

import assert from 'node:assert/strict'
import { SIGN_INS_PATH } from '../../src/contract/endpoints.ts'
import type { DashboardRole } from '../../src/contract/extension-calls.ts'
import { encodePerson } from '../../src/contract/person.ts'
import { adminJson } from './admin.ts'
import { call, type Caller, type ServiceResponse } from './service-calls.ts'
import type { RunningService } from './service.ts'

/** Uses the dashboard like a browser without JavaScript: keeps cookies and submits forms. */
export type DashboardBrowser = ReturnType<typeof browse>

export interface Page {
  status: number
  headers: Headers
  text: string
  /** The target of a redirect. */
  location: string | null
}

/** What a page says, without its markup. */
export function plainText({ text }: Pick<Page, 'text'>): string {
  return text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
}

/** The cookies of a browser, as a header. */
export function cookieOf({ cookies }: Pick<DashboardBrowser, 'cookies'>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

/** A form as browsers send it if it has an input for a file. */
export function multipartForm(fields: Record<string, string | File>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

/** The values of a form. Undefined is not sent. */
type Values = Record<string, string | string[] | File | undefined>

/** The form of a page that is sent to a path, filled in as the page shows it. */
export function formTo(path: string, { text }: Pick<Page, 'text'>): FormData {
  const found = text.split('<form').find((one) => / action="([^"?]*)/.exec(one)?.[1] === path)
  if (found === undefined) throw new Error(`The page has no form that is sent to ${path}.`)
  const [form = ''] = found.split('</form>')
  const plain = (value = '') =>
    value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
  const values = new FormData()
  for (const [tag, name = ''] of form.matchAll(/<(?:input|button)[^>]* name="([^"]+)"[^>]*>/g)) {
    const isSent = !tag.includes('type="checkbox"') || tag.includes(' checked')
    if (tag.includes('type="file"')) values.append(name, new File([], ''))
    else if (isSent) values.append(name, plain(/ value="([^"]*)"/.exec(tag)?.[1]))
  }
  for (const [, name = '', text] of form.matchAll(/<textarea[^>]* name="([^"]+)"[^>]*>([^<]*)/g)) {
    values.append(name, plain(text))
  }
  for (const [, name = '', menu = ''] of form.matchAll(
    /<select[^>]* name="([^"]+)"[^>]*>(.*?)<\/select>/gs,
  )) {
    const chosen = / value(?:="([^"]*)")? selected/.exec(menu) ?? / value(?:="([^"]*)")?/.exec(menu)
    values.append(name, plain(chosen?.[1]))
  }
  return values
}

export function browse({ baseUrl }: Pick<RunningService, 'baseUrl'>) {
  const cookies = new Map<string, string>()
  const paths = new Map<string, string>()
  const sentTo = (path: string): [string, string][] =>
    [...cookies].filter(([name]) => path.startsWith(paths.get(name) ?? '/'))
  let csrf = ''
  async function send(
    path: string,
    init: { method?: string; body?: URLSearchParams | FormData; headers?: Record<string, string> },
  ): Promise<Page> {
    const response = await fetch(baseUrl + path, {
      redirect: 'manual',
      ...init,
      headers: {
        ...init.headers,
        cookie: cookieOf({ cookies: new Map(sentTo(path)) }),
      },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
      paths.set(name, /; Path=([^;]+)/.exec(line)?.[1] ?? '/')
    }
    const text = await response.text()
    csrf = /name="_csrf" value="([^"]+)"/.exec(text)?.[1] ?? csrf
    const { status, headers } = response
    return { status, headers, text, location: headers.get('location') }
  }
  const get = (path: string): Promise<Page> => send(path, {})
  /** Forms with files have their token in the URL. */
  const withToken = (path: string): string => `${path}?_csrf=${encodeURIComponent(csrf)}`
  return {
    cookies,
    get,
    /** Fills in the form of a page that is sent to a path, and submits it. By default, the page has the same path. */
    async submit(path: string, changes: Values = {}, page?: Page): Promise<Page> {
      const shown = page ?? (await get(path))
      const form = formTo(path, shown)
      for (const [name, values = []] of Object.entries(changes)) {
        form.delete(name)
        for (const value of [values].flat()) form.append(name, value)
      }
      if (shown.text.includes(`action="${path}?_csrf=`))
        return send(withToken(path), { method: 'POST', body: form })
      const body = new URLSearchParams([...form] as [string, string][])
      return send(path, { method: 'POST', body })
    },
    /** Submits a form of the last page, with the page's CSRF token. FormData is for forms with files. */
    post(
      path: string,
      fields: Record<string, string | string[]> | FormData = {},
      headers: Record<string, string> = {},
    ): Promise<Page> {
      if (fields instanceof FormData) {
        fields.set('_csrf', csrf)
        return send(withToken(path), { method: 'POST', body: fields, headers })
      }
      const body = new URLSearchParams({ _csrf: csrf })
      for (const [name, values] of Object.entries(fields)) {
        for (const value of [values].flat()) body.append(name, value)
      }
      return send(path, { method: 'POST', body, headers })
    },
  }
}

/** Submits a form of a page, and yields the response as it comes. To disconnect, end the loop over it. */
export async function* submitAndStream(
  { baseUrl }: Pick<RunningService, 'baseUrl'>,
  browser: DashboardBrowser,
  path: string,
  page: Page,
  changes: Record<string, string> = {},
): AsyncGenerator<string, void> {
  const body = formTo(path, page)
  for (const [name, value] of Object.entries(changes)) body.set(name, value)
  const token = encodeURIComponent(body.get('_csrf') as string)
  const headers = { cookie: cookieOf(browser) }
  const response = await fetch(`${baseUrl}${path}?_csrf=${token}`, {
    method: 'POST',
    headers,
    body,
  })
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) yield decoder.decode(chunk, { stream: true })
}

/** Whether a browser has a session. Its key might not allow to see links. */
export async function isSignedIn(browser: DashboardBrowser): Promise<boolean> {
  const { location, text } = await browser.get('/dashboard')
  return location === null && !text.includes('Your session has ended')
}

/** Expects a page with a status and texts, which can't contain markup. */
export function expectPage(page: Page, status: number, ...texts: string[]): void {
  const shown = plainText(page)
  assert.equal(page.status, status, shown)
  for (const text of texts) assert.ok(shown.includes(text), `“${text}” is not in: ${shown}`)
}

/**
 * Imports a file: sends it, and chooses the owner, the domain and what the columns mean (`column-0`). By default, the
 * guessed columns stay.
 *
 * @returns the last page: the result, or the form with what is wrong
 */
export async function importFile(
  browser: DashboardBrowser,
  content: string | Uint8Array<ArrayBuffer>,
  choices: Record<string, string> = {},
): Promise<Page> {
  const file = new File([content], 'links.csv', { type: 'text/csv' })
  const columns = await browser.submit('/dashboard/import', { file })
  return columns.status === 200
    ? browser.submit('/dashboard/import/columns', choices, columns)
    : columns
}

/** The output of `npm run admin -- sign-in link|password`. */
export async function signInCommand(
  { databaseUrl, baseUrl }: Pick<RunningService, 'databaseUrl' | 'baseUrl'>,
  what: 'link' | 'password',
  now: () => number,
): Promise<string> {
  const answer = await adminJson({ databaseUrl, baseUrl, now }, 'sign-in', what)
  return answer[what] ?? ''
}

/** A browser that has signed in with a one-time link: of the running service if it is given, or else of the command. */
export async function signedIn(
  running: Pick<RunningService, 'databaseUrl' | 'baseUrl'> & Partial<RunningService>,
  now: () => number = Date.now,
): Promise<DashboardBrowser> {
  const browser = browse(running)
  // The command opens the database once more, which takes longer than everything else.
  const link = await (running.service?.createSignInLink() ?? signInCommand(running, 'link', now))
  const { pathname } = new URL(link, running.baseUrl)
  await browser.get(pathname)
  await browser.post(pathname)
  return browser
}

/** Someone whom the holder of a key signs in to the dashboard. */
export interface TestMember {
  id?: string
  name?: string
  role?: DashboardRole
  workspace?: string
}

/** Asks for a one-time link, by default for Ana, who is a creator. */
export async function requestSignIn(
  { baseUrl, apiKey }: Caller,
  {
    id = 'T0TEST-U0ANA',
    name = 'Ana García',
    role = 'creator',
    workspace = 'Test',
  }: TestMember = {},
): Promise<ServiceResponse> {
  const body = new FormData()
  body.set('role', role)
  body.set('workspace', workspace)
  const headers = { 'x-api-key': apiKey, 'x-created-by': encodePerson({ id, name }) ?? '' }
  return call(baseUrl + SIGN_INS_PATH, { method: 'POST', headers, body })
}

/** The path of a new one-time link. */
export async function signInAddress(caller: Caller, member?: TestMember): Promise<string> {
  const { body, text } = await requestSignIn(caller, member)
  const { data } = body as { data?: { url: string } }
  if (!data) throw new Error(text)
  return new URL(data.url).pathname
}

/** A browser in which a member of a workspace has signed in with a one-time link. */
export async function signedInMember(
  caller: Caller,
  member?: TestMember,
): Promise<DashboardBrowser> {
  const browser = browse(caller)
  const path = await signInAddress(caller, member)
  await browser.get(path)
  const { status, text } = await browser.post(path)
  if (status !== 303) throw new Error(`${status} ${text}`)
  return browser
}

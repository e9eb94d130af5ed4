import { CREATE_PATH, LIST_PATH, SHORTLINKS_PATH } from '../../src/contract/endpoints.ts'
import type { DetailedShortlink } from '../../src/contract/extension-calls.ts'
import type { LinkList } from '../../src/service/api/list-links.ts'
import { addApiKey } from '../../src/service/store/api-keys.ts'
import type { RunningService } from './service.ts'

export interface ServiceResponse {
  status: number
  headers: Headers
  text: string
  /** The parsed JSON; undefined if the text is not JSON. */
  body: unknown
}

export type Fields = Record<string, string | Blob | (string | Blob)[]>

export type Caller = Pick<RunningService, 'baseUrl' | 'apiKey'>

/** The link in a response. A create and a list return fewer of its fields. */
export function linkIn({ body, text }: ServiceResponse): DetailedShortlink {
  const { data } = body as { data?: { shortlink: DetailedShortlink } }
  if (!data) throw new Error(text)
  return data.shortlink
}

/** The status, the code and the details of an error. */
export function errorIn({ status, body, text }: ServiceResponse) {
  const { error } = body as { error?: { code: string; details?: unknown } }
  if (!error) throw new Error(text)
  return [status, error.code, error.details] as const
}

/** What a 422 explains, by field. */
export function errorsIn(response: ServiceResponse): Record<string, string[]> {
  const [status, code, details] = errorIn(response)
  if (status !== 422 || code !== 'VALIDATION_ERROR') throw new Error(response.text)
  const { fields, ...more } = details as { fields: Record<string, string[]> }
  if (Object.keys(more).length > 0) throw new Error(response.text)
  return fields
}

/** The names of the fields that a 422 explains. */
export function invalidIn(response: ServiceResponse): string[] {
  const fields = errorsIn(response)
  const areExplained = Object.values(fields).every(
    (texts) => texts.length === 1 && typeof texts[0] === 'string',
  )
  if (!areExplained) throw new Error(response.text)
  return Object.keys(fields).sort()
}

/** The status and the code of an error, or only the status. */
export function codeIn({ status, body }: ServiceResponse): string {
  const { error } = body as { error?: { code: string } }
  return error ? `${status} ${error.code}` : String(status)
}

/** A caller with another key of the service's owner. By default, it allows everything. */
export async function keyWith(
  { baseUrl, database, ownerId }: Pick<RunningService, 'baseUrl' | 'database' | 'ownerId'>,
  more: Partial<Parameters<typeof addApiKey>[1]> = {},
): Promise<Caller> {
  const permissions = more.scopes ? 'restricted' : 'all'
  const { key } = await addApiKey(
    database.db,
    { ownerId, name: 'test', permissions, ...more },
    Date.now(),
  )
  return { baseUrl, apiKey: key }
}

/** A caller who belongs to another owner. */
export async function newOwner(
  { baseUrl, service }: Pick<RunningService, 'baseUrl' | 'service'>,
  name: string,
): Promise<Caller> {
  const { apiKey } = await service.provision({ id: `T0${name.toUpperCase()}`, name })
  return { baseUrl, apiKey }
}

/** Sends a create request as browsers do. An array sends a field several times. */
export async function postForm(
  { baseUrl, apiKey }: Caller,
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<ServiceResponse> {
  return call(`${baseUrl}${CREATE_PATH}`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, ...headers },
    body: formData(fields),
  })
}

let links = 0

/** Sends a create request. By default, it is for a new destination, on the built-in domain record. */
export function create(
  caller: Caller,
  fields: Fields = {},
  headers: Record<string, string> = {},
): Promise<ServiceResponse> {
  const destination_url = `https://example.com/new/${links++}`
  return postForm(caller, { destination_url, domain: 'default', ...fields }, headers)
}

/** Creates a link. By default, it leads to a new destination. */
export async function newLink(
  ...[caller, fields, headers]: Parameters<typeof create>
): Promise<DetailedShortlink> {
  return linkIn(await create(caller, fields, headers))
}

/**
 * Creates a link to https://example.com/BACK_HALF, unless the fields have another destination. @returns its short URL
 */
export async function shorten(
  service: Caller,
  back_half: string,
  fields: Fields = {},
): Promise<string> {
  const destination_url = `https://example.com/${back_half}`
  await newLink(service, { destination_url, back_half, ...fields })
  return `${service.baseUrl}/${back_half}`
}

/** Reads, changes or deletes a single link. Only a change has fields. */
export async function callLink(
  { baseUrl, apiKey }: Caller,
  method: 'GET' | 'PATCH' | 'DELETE',
  name: string,
  { fields, headers = {} }: { fields?: Fields; headers?: Record<string, string> } = {},
): Promise<ServiceResponse> {
  return call(`${baseUrl}${SHORTLINKS_PATH}/${name}`, {
    method,
    headers: { 'x-api-key': apiKey, ...headers },
    ...(fields && { body: formData(fields) }),
  })
}

function formData(fields: Fields): FormData {
  const form = new FormData()
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values].flat()) {
      if (typeof value === 'string') form.append(name, value)
      else form.append(name, value, value instanceof File ? value.name : 'blob')
    }
  }
  return form
}

/** Sends a request without a body. The path might have a query. */
export function request(
  { baseUrl, apiKey }: Caller,
  method: 'GET' | 'DELETE',
  path: string,
): Promise<ServiceResponse> {
  return call(baseUrl + path, { method, headers: { 'x-api-key': apiKey } })
}

/** Requests a list with a query such as `page=2&order=asc`. */
export async function getList(caller: Caller, query = ''): Promise<ServiceResponse> {
  return request(caller, 'GET', `${LIST_PATH}?${query}`)
}

/** Requests a list. @returns its links and their pagination */
export async function listed(caller: Caller, query = ''): Promise<LinkList['data']> {
  const { body, text } = await getList(caller, query)
  const { data } = body as Partial<LinkList>
  if (!data) throw new Error(text)
  return data
}

/** Sends any request, without following redirects. */
export async function call(url: string, init: RequestInit = {}): Promise<ServiceResponse> {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parseJson(text) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

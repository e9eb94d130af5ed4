import { CREATE_PATH, DOMAINS_PATH, LIST_PATH, SHORTLINKS_PATH } from '../contract/endpoints.ts'
import { NO_OFFERS, type Offers } from '../contract/offers.ts'
import { parseJson } from './responses.ts'

/** An OpenAPI document has more levels and values than any other answer. */
const LIMITS = { maxValues: 50_000, maxDepth: 60 }

/** How much of a document is read. */
const MAX_PATHS = 2_000
const MAX_SERVERS = 20
const MAX_PARAMETERS = 200
/** How many `$ref`s are followed from one place, and how deep schemas are combined. */
const MAX_REFS = 10
const MAX_COMBINED = 5
const MAX_SCHEMAS = 50

type Json = Record<string, unknown>

/**
 * What a link service offers beyond the specification, according to its OpenAPI document. Never throws: a
 * text that is no such document offers nothing.
 */
export function offersOf(text: string): Offers {
  const document = parseJson(text, { limits: LIMITS })
  if (!isObject(document) || !('openapi' in document)) return NO_OFFERS
  const paths = Object.entries(objectOf(document['paths'])).slice(0, MAX_PATHS)
  const servers = serverPaths(document['servers'])

  /** The path items at an address. A service's prefix may be in its servers' URLs or in its paths. */
  const itemsAt = (address: RegExp): Json[] =>
    paths.flatMap(([path, value]) => {
      const item = resolve(document, value)
      const own = serverPaths(item['servers'], servers)
      return own.some((prefix) => address.test(prefix + path)) ? [item] : []
    })

  const link = itemsAt(addressEnding(`${SHORTLINKS_PATH}/{}`))
  const offersCall = (items: readonly Json[], method: string): boolean =>
    items.some((item) => isObject(item[method]))
  return {
    get: offersCall(link, 'get'),
    update: offersCall(link, 'patch'),
    delete: offersCall(link, 'delete'),
    clicks: offersCall(itemsAt(addressEnding(`${SHORTLINKS_PATH}/{}/clicks`)), 'get'),
    search: itemsAt(addressEnding(LIST_PATH)).some((item) => hasParameter(document, item, 'q')),
    domains: offersCall(itemsAt(addressEnding(DOMAINS_PATH)), 'get'),
    expiry: itemsAt(addressEnding(CREATE_PATH)).some((item) =>
      hasFormField(document, item, 'expires_at'),
    ),
  }
}

/** Matches a path that ends in `path`, with a parameter of any name for each `{}`. */
function addressEnding(path: string): RegExp {
  return new RegExp(`${path.replaceAll('.', '\\.').replaceAll('{}', '\\{[^/{}]+\\}')}/?$`)
}

/** The paths of the servers' URLs, without a slash at the end. */
function serverPaths(servers: unknown, otherwise: readonly string[] = ['']): readonly string[] {
  if (!Array.isArray(servers) || servers.length === 0) return otherwise
  return servers.slice(0, MAX_SERVERS).map((server: unknown) => {
    const { url, variables } = objectOf(server)
    if (typeof url !== 'string') return ''
    const full = url.slice(0, 2_000).replace(/\{([^{}]*)\}/g, (_, name: string) => {
      const { default: value } = objectOf(own(objectOf(variables), name))
      return typeof value === 'string' ? value.slice(0, 200) : ''
    })
    return (URL.parse(full, 'http://localhost/')?.pathname ?? '').replace(/\/+$/, '')
  })
}

/** Whether a GET takes this parameter in its query. */
function hasParameter(document: Json, item: Json, name: string): boolean {
  const operation = item['get']
  if (!isObject(operation)) return false
  return [operation['parameters'], item['parameters']]
    .flatMap((list) => listOf(list).slice(0, MAX_PARAMETERS))
    .map((parameter: unknown) => resolve(document, parameter))
    .some((parameter) => parameter['in'] === 'query' && parameter['name'] === name)
}

/** Whether the form of a POST has this field. */
function hasFormField(document: Json, item: Json, name: string): boolean {
  const body = resolve(document, objectOf(item['post'])['requestBody'])
  const form = Object.entries(objectOf(body['content'])).find(([type]) =>
    /^multipart\/form-data\s*(?:;|$)/i.test(type),
  )
  let schemas = form ? [objectOf(form[1])['schema']] : []
  for (let depth = 0; depth <= MAX_COMBINED && schemas.length > 0; depth++) {
    const resolved = schemas.slice(0, MAX_SCHEMAS).map((schema) => resolve(document, schema))
    if (resolved.some(({ properties }) => isField(own(objectOf(properties), name)))) return true
    schemas = resolved.flatMap(({ allOf, anyOf, oneOf }) => [allOf, anyOf, oneOf].flatMap(listOf))
  }
  return false
}

/** `false` instead of a schema means that a field must not be sent. */
function isField(schema: unknown): boolean {
  return isObject(schema) || schema === true
}

/** The object itself, or the one in the same document that its `$ref` names; empty if there is none. */
function resolve(document: Json, value: unknown): Json {
  let found = value
  for (let refs = 0; refs <= MAX_REFS; refs++) {
    if (!isObject(found)) return {}
    const ref = own(found, '$ref')
    if (typeof ref !== 'string') return found
    if (!ref.startsWith('#/') || ref.length > 1_000) return {}
    found = ref
      .slice(2)
      .split('/')
      .reduce<unknown>((inside, part) => {
        return isObject(inside) ? own(inside, pointerPart(part)) : undefined
      }, document)
  }
  return {}
}

function pointerPart(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return part
  }
}

function own(object: Json, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function objectOf(value: unknown): Json {
  return isObject(value) ? value : {}
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}

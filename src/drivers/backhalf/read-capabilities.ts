import * as endpoints from '../../contract/endpoints.ts'
import {
  CREATE_FIELDS,
  fieldsWith,
  LINK_FIELD_NAMES,
  OUR_CREATE_FIELDS,
  without,
} from '../../contract/link-fields.ts'
import { OUR_SORT_FIELDS, SORT_FIELDS } from '../../contract/list-query.ts'
import { SPECIFICATION, type Capabilities } from '../../port/capabilities.ts'
import { QR_PICTURE_PATH } from '../../contract/qr-picture.ts'
import { parseJson } from '../../client/json.ts'
import { asObject, isObject } from '../../values/unknown-values.ts'

// How many parts of a document are read: paths, servers, parameters, types of forms, schemas and parts of references,
// counted together. The document's length is not enough, because many references can lead to the same part.
const MAX_PARTS = 20_000

const MAX_TEXT = 500

type Json = Record<string, unknown>

const CLEARABLE = without(LINK_FIELD_NAMES, fieldsWith({ isPermanent: true }))

/** Reads from an OpenAPI document what a service offers beyond the specification. Any other text offers nothing. */
export function parseCapabilities(text: string): Capabilities {
  const document = asObject(parseJson(text))
  if (!('openapi' in document)) return SPECIFICATION
  const { offersCall, takesParameter, takesFormField } = readOpenapi(document)
  const listTakes = (name: string, value?: string): boolean =>
    takesParameter(endpoints.LIST_PATH, 'get', 'query', name, value)

  const linkPath = `${endpoints.SHORTLINKS_PATH}/{}`
  const update = offersCall(linkPath, 'patch')
  const canDelete = offersCall(linkPath, 'delete')
  const qrPicture = takesParameter(`/{}${QR_PICTURE_PATH}`, 'get', 'query', 'color')
  const offeredFields = OUR_CREATE_FIELDS.filter((name) =>
    takesFormField(endpoints.CREATE_PATH, name),
  )
  return {
    ...SPECIFICATION,
    get: offersCall(linkPath, 'get'),
    update,
    turnOff: update,
    keepsAddresses: update || canDelete,
    delete: canDelete,
    clicks: offersCall(`${linkPath}/clicks`, 'get'),
    search: listTakes('q'),
    sorts: listTakes('sort_by', 'clicks') ? OUR_SORT_FIELDS : SORT_FIELDS,
    tagFilter: listTakes('tag'),
    creatorFilter: listTakes('created_by'),
    expiresBefore: listTakes('expires_before'),
    deadFilter: listTakes('state', 'dead'),
    reports: offersCall(endpoints.REPORTS_PATH, 'get'),
    tags: offersCall(endpoints.TAGS_PATH, 'get'),
    domains: offersCall(endpoints.DOMAINS_PATH, 'get'),
    fields: without(CREATE_FIELDS, without(OUR_CREATE_FIELDS, offeredFields)),
    ...(update && { editable: LINK_FIELD_NAMES, clearable: CLEARABLE }),
    signIn:
      offersCall(endpoints.SIGN_INS_PATH, 'post') && offersCall(endpoints.SESSIONS_PATH, 'delete'),
    erasePerson: offersCall(`${endpoints.PEOPLE_PATH}/{}`, 'delete'),
    createdBy: takesParameter(endpoints.CREATE_PATH, 'post', 'header', endpoints.CREATED_BY_HEADER),
    ...(qrPicture && { qrPath: QR_PICTURE_PATH }),
  }
}

/** Reads an OpenAPI document of another service, which might be very large or full of references. */
function readOpenapi(document: Json) {
  let remainingParts = MAX_PARTS

  // Every list that is read passes through here, so that the limit applies to all of them together.
  function take<T>(list: readonly T[]): readonly T[] {
    const taken = list.slice(0, remainingParts)
    remainingParts -= taken.length
    return taken
  }

  // Follows a reference (`$ref`), or several in a row. A reference that can't be followed leads to an empty object.
  function resolve(value: unknown): Json {
    let object = asObject(value)
    for (;;) {
      const ref = own(object, '$ref')
      if (typeof ref !== 'string') return object
      if (!ref.startsWith('#/') || ref.length > MAX_TEXT) return {}
      const parts = ref.slice(2).split('/')
      if (take(parts).length < parts.length) return {}
      object = asObject(parts.reduce<unknown>(member, document))
    }
  }

  // A service's prefix is in its servers' URLs or in its paths.
  const prefixes = take(asList(document['servers'])).map((server) => {
    const { url } = asObject(server)
    const isReadable = typeof url === 'string' && url.length <= MAX_TEXT
    const path = isReadable ? URL.parse(url, 'http://localhost/')?.pathname : undefined
    return endpoints.withoutSlash(path ?? '')
  })
  const items = take(Object.entries(asObject(document['paths']))).map(([path, value]) => {
    const address = endpoints.withoutSlash(path.slice(-MAX_TEXT)).replace(/\{[^{}/]+\}/g, '{}')
    const addresses = [address, ...take(prefixes).map((prefix) => prefix + address)]
    return { item: resolve(value), addresses }
  })
  const offers = (path: string, isOffered: (item: Json) => boolean): boolean =>
    items.some(
      ({ item, addresses }) =>
        addresses.some((address) => address.endsWith(path)) && isOffered(item),
    )

  return {
    offersCall: (path: string, method: string): boolean =>
      offers(path, (item) => isObject(item[method])),

    // `name` is in lower case, and matches any case. With `value`, the parameter's schema also has to list this value.
    takesParameter: (path: string, method: string, place: string, name: string, value?: string) => {
      // The lengths are compared first, because a very long name might be referred to many times.
      const isNamed = ({ name: actual }: Json): boolean =>
        typeof actual === 'string' && actual.length === name.length && actual.toLowerCase() === name
      const takesValue = ({ schema }: Json): boolean =>
        value === undefined || take(asList(resolve(schema)['enum'])).includes(value)
      return offers(path, (item) => {
        const operation = item[method]
        if (!isObject(operation)) return false
        return [operation['parameters'], item['parameters']]
          .flatMap((list) => take(asList(list)))
          .map(resolve)
          .some((object) => object['in'] === place && isNamed(object) && takesValue(object))
      })
    },

    takesFormField: (path: string, name: string): boolean =>
      offers(path, (item) => {
        const { content } = resolve(asObject(item['post'])['requestBody'])
        // Many paths can share one form, so nothing is copied once the limit is reached.
        const types = remainingParts > 0 ? take(Object.entries(asObject(content))) : []
        const form = types.find(([type]) => /^multipart\/form-data\s*(?:;|$)/i.test(type))
        const schemas = [asObject(form?.[1])['schema']]
        for (const schema of schemas) {
          const { properties, allOf } = resolve(schema)
          const field = own(asObject(properties), name)
          // `false` instead of a schema means that a field must not be sent.
          if (isObject(field) || field === true) return true
          schemas.push(...take(asList(allOf)))
        }
        return false
      }),
  }
}

/** Finds a member, also of an array, by a part of a reference: `~1links` in `#/paths/~1links/get/parameters/0`. */
function member(value: unknown, part: string): unknown {
  try {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    return own(Object(value) as Json, name)
  } catch {
    return undefined
  }
}

function own(object: Json, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

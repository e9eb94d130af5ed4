import { withoutSlash } from '../../contract/endpoints.ts'
import { asObject, isObject } from '../../values/unknown-values.ts'

// How many parts of a document are read: paths, servers, parameters, types of forms, schemas and parts of references,
// counted together. The document's length is not enough, because many references can lead to the same part.
const MAX_PARTS = 20_000

const MAX_TEXT = 500

type Json = Record<string, unknown>

/** Reads an OpenAPI document of another service, which might be very large or full of references. */
export function readOpenapi(document: Json) {
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
    return withoutSlash(path ?? '')
  })
  const items = take(Object.entries(asObject(document['paths']))).map(([path, value]) => {
    const address = withoutSlash(path.slice(-MAX_TEXT)).replace(/\{[^{}/]+\}/g, '{}')
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

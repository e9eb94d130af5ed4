import {
  isCreate,
  isList,
  json,
  refusal,
  setForm,
  type Fault,
  type Reply,
  type Request,
} from './broken-transport.ts'

type Json = Record<string, unknown>
/** What a fault needs to know of the service that it breaks. */
export interface Target {
  apiKey: string
  domain: string
}

const isOk = ({ status }: Reply): boolean => status >= 200 && status < 300

/** Changes the JSON of some responses. */
function editJson(
  applies: (request: Request, reply: Reply) => boolean,
  edit: (body: Json, request: Request) => void,
): Fault {
  return {
    reply(reply, request) {
      if (!applies(request, reply)) return reply
      const body = JSON.parse(reply.text) as Json
      edit(body, request)
      return { ...reply, text: JSON.stringify(body) }
    },
  }
}

const isNewLink = (request: Request, reply: Reply): boolean => isCreate(request) && isOk(reply)
const isPlainList = (request: Request, reply: Reply): boolean =>
  isList(request) && isOk(reply) && !request.url.search

/** Changes some responses. */
const edits = (
  applies: (request: Request, reply: Reply) => boolean,
  changes: Partial<Reply>,
): Fault => ({
  reply: (reply, request) => (applies(request, reply) ? { ...reply, ...changes } : reply),
})

/** Changes `data` in the response to a create. */
const editData = (edit: (data: Json) => void): Fault =>
  editJson(isNewLink, ({ data }) => edit(data as Json))

/** Changes the link in the response to a create. */
const editLink = (edit: (link: Json, request: Request) => void): Fault =>
  editJson(isNewLink, ({ data }, request) => edit((data as Json)['shortlink'] as Json, request))

/** Changes `error` in the errors with one status. */
const editError = (status: number, edit: (error: Json) => void): Fault =>
  editJson(
    (_, reply) => reply.status === status,
    ({ error }) => edit(error as Json),
  )

/** Refuses creates with certain forms. */
const refuses = (applies: (form: FormData) => boolean): Fault => ({
  request: (request) =>
    isCreate(request) && request.form && applies(request.form) ? refusal(422) : undefined,
})

const refusesImage = (applies: (image: File) => boolean): Fault =>
  refuses((form) => {
    const image = form.get('preview_image')
    return image instanceof File && applies(image)
  })

/** Changes a request before the service sees it, so that it accepts what it should refuse. */
function accepts(
  edit: (form: FormData, request: Request) => void,
  applies: (request: Request) => boolean = ({ form }) => form !== undefined,
): Fault {
  return {
    async request(request) {
      if (!isCreate(request) || !applies(request)) return undefined
      const form = request.form ?? new FormData()
      edit(form, request)
      await setForm(request, form)
      return undefined
    },
  }
}

const acceptsImage = (applies: (image: File) => boolean): Fault =>
  accepts((form) => {
    const image = form.get('preview_image')
    if (image instanceof File && applies(image)) form.delete('preview_image')
  })

/** Changes the query of lists. */
const lists = (edit: (query: URLSearchParams) => void): Fault => ({
  request(request) {
    if (isList(request)) edit(request.url.searchParams)
    return undefined
  },
})

/** Gives requests the right key. */
const admits = (applies: (request: Request) => boolean, apiKey: string): Fault => ({
  request(request) {
    if (applies(request)) request.headers['x-api-key'] = apiKey
    return undefined
  },
})

const isKeyless = ({ headers }: Request): boolean => !('x-api-key' in headers)
const hasUnknownKey = ({ headers }: Request): boolean =>
  headers['x-api-key']?.startsWith('unknown') ?? false
const isPlain = ({ form }: Request): boolean => !form?.has('title') && !form?.has('preview_image')

const dashed = (name: string): string => name.replaceAll('_', '-')

let count = 0
const newDestination = (): string => `https://example.com/fault-${++count}`

/** What a second create gets that the first one did not. */
function afterFirst(edit: (link: Json, first: Json) => void): Fault {
  let first: Json | undefined
  return editLink((link, request) => {
    if (first && isPlain(request)) edit(link, first)
    first ??= { ...link }
  })
}

/** A back-half that was used before is accepted: the service generates another. */
function acceptsRepeated(field: string, replace: (form: FormData) => void): Fault {
  const seen = new Set<string>()
  return accepts((form) => {
    const value = form.get(field)
    if (typeof value !== 'string') return
    if (seen.has(value)) replace(form)
    seen.add(value)
  })
}

/** Each rule, and a service that breaks it and no other. */
export function faults({ apiKey, domain }: Target): Record<string, Fault> {
  const renamed = (name: string, value: unknown): Fault =>
    editLink((link) => {
      if (name in link) link[name] = value
    })
  const complete = (form: FormData): void => {
    form.set('destination_url', newDestination())
    form.set('domain', domain)
  }
  const completes = (applies: (form: FormData) => boolean): Fault =>
    accepts((form) => {
      if (applies(form)) complete(form)
    })
  const fields = [
    ...['title', 'back_half', 'utm_analytics_enabled', 'utm_source', 'utm_medium', 'utm_campaign'],
    ...['utm_term', 'utm_content', 'utm_id', 'is_custom_preview', 'preview_title'],
    ...['preview_description', 'qr_code_enabled', 'qr_code_color'],
  ]
  return {
    redirect: edits((_, { headers }) => 'location' in headers, {
      headers: { location: 'https://example.com/elsewhere' },
    }),
    'preview-card': {
      request({ headers }) {
        headers['user-agent'] = 'Mozilla/5.0'
        return undefined
      },
    },
    'preview-image-file': edits((_, { headers }) => headers['content-type'] === 'image/png', {
      status: 404,
    }),
    'link-name': renamed('name', ''),
    'link-short-url': renamed('shortlink_url', 'go.example.com/x'),
    'link-destination': renamed('destination_url', 'https://example.com/'),
    'link-title': renamed('title', 5),
    'link-preview-title': renamed('preview_title', 'Another title'),
    'link-preview-description': renamed('preview_description', null),
    'link-is-custom-preview': editLink((link) => (link['is_custom_preview'] = false)),
    'link-qr-code-enabled': editLink((link) => (link['qr_code_enabled'] = 'true')),
    'link-preview-image': renamed('preview_image', '/image.png'),
    'flags-default': editLink((link) => (link['qr_code_enabled'] = true)),
    hostname: afterFirst((link) => {
      link['shortlink_url'] = `https://other.test${new URL(String(link['shortlink_url'])).pathname}`
    }),
    'generated-back-half': afterFirst((link, first) => {
      link['shortlink_url'] = first['shortlink_url']
    }),
    'given-back-half': {
      ...editLink((link, { form }) => {
        if (form?.has('back_half')) link['shortlink_url'] = `${String(link['shortlink_url'])}-moved`
      }),
      request({ url }) {
        url.pathname = url.pathname.replace(/-moved$/, '')
        return undefined
      },
    },
    'create-200': edits(isNewLink, { status: 201 }),
    'create-json': edits(isNewLink, { headers: { 'content-type': 'text/plain' } }),
    'data-status': editData((data) => delete data['status']),
    'data-message': editData((data) => (data['message'] = 5)),
    'data-shortlink': editData((data) => delete data['shortlink']),
    'all-fields': refuses((form) => form.has('title') && form.has('back_half')),
    ...Object.fromEntries(
      fields.map((name) => [`field-${dashed(name)}`, refuses((form) => form.has(name))]),
    ),
    'field-preview-image': refusesImage(({ name }) => name === 'preview.png'),
    'no-destination': completes((form) => !form.has('destination_url')),
    'invalid-destination': completes((form) => form.get('destination_url') === 'not a URL'),
    'no-domain': completes((form) => !form.has('domain')),
    'unknown-domain': accepts((form) => {
      if (form.has('domain')) form.set('domain', domain)
    }),
    'flag-values': accepts((form) => {
      for (const [name, value] of [...form]) if (value === 'maybe') form.delete(name)
    }),
    'color-values': accepts((form) => {
      if (form.get('qr_code_color') === '#12345') form.delete('qr_code_color')
    }),
    'no-body': accepts(complete, ({ body }) => body.length === 0),
    'unreadable-body': accepts(complete, ({ body, form }) => body.length > 0 && !form),
    'duplicate-409': acceptsRepeated('destination_url', complete),
    'back-half-409': acceptsRepeated('back_half', (form) => form.delete('back_half')),
    'image-jpeg': refusesImage(({ name }) => name.endsWith('.jpeg')),
    'image-jpg': refusesImage(({ name }) => name.endsWith('.jpg')),
    'image-svg': refusesImage(({ name }) => name.endsWith('.svg')),
    'image-large': refusesImage(({ size }) => size === 500_000),
    'image-extension': acceptsImage(({ name }) => name.endsWith('.gif')),
    'image-too-large': acceptsImage(({ size }) => size > 512_000),
    'list-200': edits(isPlainList, { status: 201 }),
    'list-links': editJson(isPlainList, ({ data }) => {
      const [item] = (data as { shortlinks: Json[] }).shortlinks
      if (item) delete item['name']
    }),
    'page-default': editJson(isPlainList, ({ data }) =>
      (data as { shortlinks: Json[] }).shortlinks.reverse(),
    ),
    page: lists((query) => {
      if (!query.has('per_page')) query.delete('page')
    }),
    'per-page-default': lists((query) => {
      if (!query.has('per_page')) query.set('per_page', '9')
    }),
    'per-page': lists((query) => {
      if (!query.has('sort_by')) query.delete('per_page')
    }),
    ...Object.fromEntries(
      ['most_recent', 'created_at', 'updated_at'].map((field) => [
        `sort-${dashed(field)}`,
        lists((query) => {
          const { sort_by: by, order } = Object.fromEntries(query)
          if (by === field && order === 'desc') query.set('order', 'asc')
        }),
      ]),
    ),
    'order-asc': lists((query) => {
      if (!query.has('per_page')) query.delete('order')
    }),
    'order-default': lists((query) => {
      if (query.has('sort_by') && !query.has('order')) query.set('order', 'asc')
    }),
    combined: lists((query) => {
      if (query.has('sort_by')) query.delete('page')
    }),
    'list-without-key': admits((request) => isList(request) && isKeyless(request), apiKey),
    'create-without-key': admits(
      (request) => isCreate(request) && isKeyless(request) && !request.form?.has('api_key'),
      apiKey,
    ),
    'key-in-body': {
      async request(request) {
        if (!request.form?.has('api_key')) return undefined
        request.headers['x-api-key'] = apiKey
        for (const name of ['api_key', 'x-api-key']) request.form.delete(name)
        await setForm(request, request.form)
        return undefined
      },
    },
    'list-with-unknown-key': admits((one) => isList(one) && hasUnknownKey(one), apiKey),
    'create-with-unknown-key': admits((one) => isCreate(one) && hasUnknownKey(one), apiKey),
    'authentication-code': editError(401, (error) => (error['code'] = 'UNAUTHORIZED')),
    'key-not-repeated': editJson(
      (request, reply) => (isList(request) || isCreate(request)) && isOk(reply),
      (body, { headers }) => (body['key'] = headers['x-api-key']),
    ),
    paths: {
      request: (request) =>
        isCreate(request) && request.headers['x-api-key'] === apiKey ? refusal(404) : undefined,
    },
    'not-found': {
      request: ({ url }) => (url.pathname.includes('no-such-path') ? refusal(400) : undefined),
    },
    'error-object': { reply: (reply) => (reply.status === 409 ? json(409, ['taken']) : reply) },
    'error-message': editError(409, (error) => delete error['message']),
    'error-status-code': editError(409, (error) => (error['status_code'] = '409')),
    'error-code': editError(409, (error) => (error['code'] = 409)),
    'error-details': editError(422, (error) => (error['details'] = ['no', 'object'])),
    statuses: edits((one, reply) => isNewLink(one, reply) && Boolean(one.form?.has('title')), {
      status: 202,
    }),
    version: editJson(
      ({ url }) => url.pathname.endsWith('/openapi.json'),
      (body) => (body['info'] = { version: '2.0.0' }),
    ),
  }
}

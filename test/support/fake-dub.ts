import { startFakeLinkService, type Answer, type ReceivedRequest } from './fake-link-service.ts'

interface StoredLink {
  id: string
  key: string
  domain: string
  url: string
  externalId: string | null
  title: string | null
  tags: { id: string; name: string; color: string }[]
  expiresAt: string | null
  createdAt: string
  updatedAt: string
  clicks: number
  [utm: `utm_${string}`]: string | null
}

const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const
const TAGS = ['spring', 'print']

/** A server that answers as Dub's API does, according to its code (August 2026). */
export function createFakeDub() {
  const apiKey = 'dub_key'
  const links: StoredLink[] = []
  let base = ''
  let count = 0

  const shown = (link: StoredLink) => ({
    ...link,
    shortLink: `${base}/${link.key}`,
    archived: false,
    proxy: false,
  })
  const failed = (status: number, code: string, message: string): Answer => ({
    status,
    body: { error: { code, message, doc_url: 'https://dub.co/docs' } },
  })
  const ok = (body: unknown): Answer => ({ status: 200, body })
  const touched = (): string => new Date(Date.now() + ++count).toISOString()

  /** Stored UTM values are those of the URL, unless the request has its own. */
  function fieldsOf(request: Record<string, unknown>, earlier?: StoredLink) {
    const url = new URL((request['url'] as string | undefined) ?? earlier?.url ?? '')
    const utm = Object.fromEntries(
      UTM.map((name) => {
        const value = name in request ? request[name] : earlier?.[name]
        if (typeof value === 'string') url.searchParams.set(name, value)
        if (value === null) url.searchParams.delete(name)
        return [name, url.searchParams.get(name)]
      }),
    )
    return { url: url.href, ...utm }
  }

  function tagsOf(names: unknown): StoredLink['tags'] | undefined {
    if (!Array.isArray(names)) return []
    const known = (names as string[]).filter((name) => TAGS.includes(name.toLowerCase()))
    if (known.length < names.length) return undefined
    return known.map((name) => ({ id: `tag_${name}`, name: name.toLowerCase(), color: 'red' }))
  }

  function create(request: Record<string, unknown>): Answer {
    if (!URL.canParse(String(request['url']))) {
      return failed(422, 'unprocessable_entity', 'custom: url: Invalid URL')
    }
    const { externalId, key = `k${++count}` } = request
    if (links.some((link) => externalId !== undefined && link.externalId === externalId)) {
      const message = 'A link with this externalId already exists in this workspace.'
      return failed(409, 'conflict', message)
    }
    if (links.some((link) => link.key === key)) {
      return failed(409, 'conflict', 'Duplicate key: This short link already exists.')
    }
    const tags = tagsOf(request['tagNames'])
    if (!tags) return failed(422, 'unprocessable_entity', 'Invalid tagNames detected.')
    const now = touched()
    const link = {
      ...fieldsOf(request),
      id: `link_${++count}`,
      key: String(key),
      domain: String(request['domain']),
      externalId: (externalId as string | undefined) ?? null,
      title: (request['title'] as string | undefined) ?? null,
      tags,
      expiresAt: (request['expiresAt'] as string | undefined) ?? null,
      createdAt: now,
      updatedAt: now,
      clicks: 0,
    }
    links.unshift(link)
    return ok(shown(link))
  }

  function change(link: StoredLink, request: Record<string, unknown>): Answer {
    const { key, title, expiresAt, tagNames } = request
    if (typeof key === 'string' && links.some((one) => one !== link && one.key === key)) {
      return failed(409, 'conflict', 'Duplicate key: This short link already exists.')
    }
    Object.assign(link, fieldsOf(request, link), {
      ...(typeof key === 'string' && { key }),
      ...(title !== undefined && { title }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(tagNames !== undefined && { tags: tagsOf(tagNames) }),
      updatedAt: touched(),
    })
    return ok(shown(link))
  }

  const respond = ({ method, url, headers, body }: ReceivedRequest): Answer => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const visited = links.find(({ key }) => `/${key}` === pathname)
    if (visited) {
      visited.clicks += 1
      return { status: 302, headers: { location: visited.url }, body: '' }
    }
    const key = /^Bearer (.*)$/.exec(String(headers.authorization))?.[1]
    if (key !== apiKey) {
      return key?.startsWith('dub_')
        ? failed(401, 'unauthorized', 'Unauthorized: Invalid API key.')
        : failed(404, 'not_found', 'Workspace not found.')
    }
    const query = Object.fromEntries(searchParams)
    if (pathname === '/domains') return ok([{ slug: 'go.example.com', archived: false }])
    if (pathname === '/analytics') {
      const clicks = links.find(({ id }) => id === query['linkId'])?.clicks ?? 0
      const today = new Date().toISOString()
      return ok(query['groupBy'] === 'referers' ? [] : [{ start: today, clicks }])
    }
    if (pathname === '/links' && method === 'POST') {
      return create(JSON.parse(body) as Record<string, unknown>)
    }
    if (pathname === '/links') {
      const [page, size] = [Number(query['page'] ?? 1), Number(query['pageSize'] ?? 100)]
      const term = query['search'] ?? ''
      const found = links.filter((link) => `${link.key} ${link.url}`.includes(term))
      return ok(found.slice((page - 1) * size, page * size).map(shown))
    }
    const id = query['linkId'] ?? /^\/links\/(link_\d+)$/.exec(pathname)?.[1]
    const external = query['externalId']?.replace(/^ext_/, '')
    const link = links.find((one) =>
      external === undefined ? one.id === id : one.externalId === external,
    )
    if (!link) return failed(404, 'not_found', 'Link not found.')
    if (method === 'PATCH') return change(link, JSON.parse(body) as Record<string, unknown>)
    if (method === 'DELETE') {
      links.splice(links.indexOf(link), 1)
      return ok({ id: link.id })
    }
    return ok(shown(link))
  }
  return {
    apiKey,
    respond,
    /** How many links it has. */
    count: () => links.length,
    /** Sets the address at which it is reached. */
    isAt: (url: string): void => void (base = url),
  }
}

export async function startFakeDub() {
  const fake = createFakeDub()
  const service = await startFakeLinkService(fake.respond)
  fake.isAt(service.baseUrl)
  return { baseUrl: service.baseUrl, apiKey: fake.apiKey, close: () => service.close() }
}

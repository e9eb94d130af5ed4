import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'

const SRC = join(import.meta.dirname, '../..')

const SERVED = ['playground/page', 'simulator/shared', 'values']

/** The only dot is that of the file's extension, so no path leads out of its folder. */
const ASSET = /^(?:[\w-]+\/)*[\w-]+\.(?:ts|css|svg)$/

const ASSET_TYPES: Record<string, string> = {
  '.ts': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const VENDOR = ['preact', 'preact/hooks', 'htm']

const INDEX = await readFile(join(SRC, 'playground/page/index.html'), 'utf8')

/** An import map must be inline, so the policy allows it by its hash. */
const IMPORT_MAP = /<script type="importmap">([^]*?)<\/script>/.exec(INDEX)?.[1] ?? ''
const IMPORT_MAP_HASH = createHash('sha256').update(IMPORT_MAP).digest('base64')

export const PAGE_POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'", `'sha256-${IMPORT_MAP_HASH}'`],
  'style-src': ["'self'"],
  // Images in messages can come from anywhere.
  'img-src': ["'self'", 'data:', 'blob:', 'https:', 'http:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
}

/** There is no build: types are stripped from each module when it is served. */
export const pageRoutes: FastifyPluginAsync<{ hasDashboard: boolean }> = async (
  scope,
  { hasDashboard },
) => {
  scope.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-cache')
  })

  scope.get('/', { prefixTrailingSlash: 'no-slash' }, (_request, reply) =>
    reply.redirect(`${scope.prefix}/`),
  )

  scope.get('/', { prefixTrailingSlash: 'slash' }, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .send(hasDashboard ? INDEX.replace('<body>', '<body data-dashboard>') : INDEX),
  )

  scope.get<{ Params: { '*': string } }>('/vendor/*', async (request, reply) => {
    const specifier = request.params['*']
    if (!VENDOR.includes(specifier)) return reply.callNotFound()
    const text = await readFile(fileURLToPath(import.meta.resolve(specifier)), 'utf8')
    return reply.type('text/javascript; charset=utf-8').send(text)
  })

  for (const folder of SERVED) {
    scope.get<{ Params: { '*': string } }>(`/modules/${folder}/*`, (request, reply) =>
      sendAsset(join(SRC, folder), request.params['*'], reply),
    )
  }
}

async function sendAsset(directory: string, name: string, reply: FastifyReply): Promise<unknown> {
  const type = ASSET_TYPES[extname(name)]
  if (!type || !ASSET.test(name)) return reply.callNotFound()
  const text = await readFile(join(directory, name), 'utf8').catch(() => undefined)
  if (text === undefined) return reply.callNotFound()
  return reply.type(type).send(name.endsWith('.ts') ? stripTypeScriptTypes(text) : text)
}

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'

const PAGE = join(import.meta.dirname, '../page')
/** What the page has in common with the simulation. */
const SHARED = join(import.meta.dirname, '../shared')

/** Segments without a dot, and one extension: nothing here leads out of its directory. */
const ASSET = /^(?:[\w-]+\/)*[\w-]+\.(?:ts|css|svg)$/

const ASSET_TYPES: Record<string, string> = {
  '.ts': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Libraries of the page, by the fixed names that its import map uses. */
const VENDOR = new Map([
  ['preact.js', 'preact'],
  ['preact-hooks.js', 'preact/hooks'],
  ['htm.js', 'htm'],
])

/** Scripts come from here alone; pictures in messages come from anywhere. */
export const PAGE_POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:', 'https:', 'http:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
}

/** The page: its TypeScript is served with the types stripped, so that there is no build. */
export const pageRoutes: FastifyPluginAsync = async (scope) => {
  scope.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-cache')
  })

  scope.get('/', { prefixTrailingSlash: 'no-slash' }, (_request, reply) =>
    reply.redirect(`${scope.prefix}/`),
  )

  scope.get('/', { prefixTrailingSlash: 'slash' }, async (_request, reply) => {
    const html = await readFile(join(PAGE, 'index.html'), 'utf8')
    reply.helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { ...PAGE_POLICY, 'script-src': ["'self'", ...importMapHashes(html)] },
      },
    })
    return reply.type('text/html; charset=utf-8').send(html)
  })

  scope.get<{ Params: { name: string } }>('/assets/vendor/:name', async (request, reply) => {
    const specifier = VENDOR.get(request.params.name)
    if (specifier === undefined) return reply.callNotFound()
    const text = await readFile(fileURLToPath(import.meta.resolve(specifier)), 'utf8')
    return reply.type('text/javascript; charset=utf-8').send(text)
  })

  scope.get<{ Params: { '*': string } }>('/assets/*', (request, reply) =>
    sendAsset(PAGE, request.params['*'], reply),
  )

  scope.get<{ Params: { '*': string } }>('/shared/*', (request, reply) =>
    sendAsset(SHARED, request.params['*'], reply),
  )
}

async function sendAsset(
  directory: string,
  name: string,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const type = ASSET_TYPES[extname(name)]
  const text = ASSET.test(name)
    ? await readFile(join(directory, name), 'utf8').catch(() => undefined)
    : undefined
  if (text === undefined || type === undefined) {
    reply.callNotFound()
    return reply
  }
  return reply.type(type).send(name.endsWith('.ts') ? stripTypeScriptTypes(text) : text)
}

/** An import map can only stand in the page itself; its hash lets it through the policy. */
function importMapHashes(html: string): string[] {
  return [...html.matchAll(/<script type="importmap">([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
}

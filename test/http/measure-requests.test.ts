import { expect, onTestFinished, test } from 'vitest'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { httpServer, listening } from '../support/http-server.ts'
import { parseMetrics } from '../support/scrape.ts'

const NAME = 'backhalf_http_request_duration_seconds'

async function startServer() {
  const metrics = createMetrics()
  onTestFinished(() => metrics.close())
  const { server } = httpServer({ metrics: metrics.http('app') })
  await server.register(
    async (scope) => {
      scope.get('/', () => 'all')
      scope.get('/:name', (request, reply) => {
        const { name } = request.params as { name: string }
        if (name === 'broken') throw new Error('broken')
        return name === 'gone' ? reply.callNotFound() : name
      })
      scope.route({ method: ['PATCH', 'DELETE'], url: '/:name', handler: () => 'changed' })
    },
    { prefix: '/things' },
  )
  // A handler can write the response itself.
  server.post('/raw', (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(202).end('raw')
  })
  const url = await listening(server)
  const send = async (method: string, path: string) => (await fetch(url + path, { method })).text()
  const counts = async (): Promise<Record<string, number>> => {
    const { samples = [] } = parseMetrics(await metrics.text()).get(NAME) ?? {}
    const counted = samples.filter(({ name }) => name === `${NAME}_count`)
    return Object.fromEntries(
      counted.map(({ labels: { method, route, status }, value }) => [
        `${method} ${route} ${status}`,
        value,
      ]),
    )
  }
  return { send, counts }
}

test('counts each request once, by its route and not by its path, and those without a route together', async () => {
  const { send, counts } = await startServer()
  for (const request of [
    ...['GET /things', 'GET /things/', 'GET /things/one', 'GET /things/two?with=query'],
    ...['HEAD /things/one', 'PATCH /things/one', 'DELETE /things/two', 'DELETE /things/three'],
    ...['GET /things/broken', 'POST /raw', 'GET /readyz', 'GET /things/gone', 'GET /wp-login.php'],
    ...['GET /.env', 'PROPFIND /.env', 'REPORT /.env'],
  ]) {
    const [method = '', path = ''] = request.split(' ')
    await send(method, path)
  }
  expect(await counts()).toEqual({
    'GET /things 200': 2,
    'GET /things/:name 200': 2,
    'HEAD /things/:name 200': 1,
    'PATCH /things/:name 200': 1,
    'DELETE /things/:name 200': 2,
    'GET /things/:name 500': 1,
    'POST /raw 202': 1,
    'GET /readyz 200': 1,
    'GET none 404': 3,
    'other none 404': 2,
  })
})

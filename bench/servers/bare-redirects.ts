import { fastify } from 'fastify'
import { DatabaseSync } from 'node:sqlite'
import { announce } from '../target.ts'

/** The minimum for a redirect: Fastify, and a prepared statement that finds the destination. */
const [path = ''] = process.argv.slice(2)
const database = new DatabaseSync(path)
const find = database.prepare('select destination from links where back_half = ?')

const server = fastify()
server.get<{ Params: { backHalf: string } }>('/:backHalf', ({ params }, reply) => {
  const row = find.get(params.backHalf)
  return row ? reply.redirect(String(row['destination'])) : reply.callNotFound()
})
announce({ baseUrl: await server.listen({ host: '127.0.0.1', port: 0 }), apiKey: 'none' })

import multipart from '@fastify/multipart'
import { fastify } from 'fastify'
import { randomBytes, randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { CREATE_PATH } from '../../src/contract/endpoints.ts'
import { announce } from '../target.ts'

/** The minimum for a durable create: parse the form, insert a row, and commit it to the disk. */
const [path = ''] = process.argv.slice(2)
const database = new DatabaseSync(path)
database.exec(`
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table links (id text primary key, back_half text not null unique, destination text not null, title text)`)
const insert = database.prepare('insert into links values (?, ?, ?, ?)')

const server = fastify()
await server.register(multipart, { attachFieldsToBody: 'keyValues' })
server.post<{ Body: { destination_url: string; title: string } }>(CREATE_PATH, ({ body }) => {
  const backHalf = randomBytes(5).toString('hex')
  insert.run(randomUUID(), backHalf, body.destination_url, body.title)
  const shortlink = { name: backHalf, shortlink_url: `http://localhost/${backHalf}` }
  return { data: { status: 'success', message: 'Created.', shortlink } }
})
announce({ baseUrl: await server.listen({ host: '127.0.0.1', port: 0 }), apiKey: 'none' })

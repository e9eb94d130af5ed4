import { createServer, type Server } from 'node:http'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { listenOnLoopback } from './free-port.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The base URL at which the shared servers are requested. */
    sharedServers: string
  }
}

/** A server that all test files use. */
interface SharedServer {
  url: string
  stop(): Promise<void>
}

/** The database of PostgreSQL's server that others are copied from, because a copy takes less time than all migrations. */
export const MIGRATED = 'migrated'

/** Modules are imported on demand: most runs of a single file need neither server. */
const START = {
  browser: async () => (await import('./launch-browser.ts')).startBrowserServer(),
  async postgres() {
    const { queryPostgres, startPostgresServer } = await import('./postgres-server.ts')
    const { migrate } = await import('../../src/database/migrations.ts')
    const { PATIENT, postgresDialect } = await import('../../src/database/postgres.ts')
    const server = await startPostgresServer()
    await queryPostgres(`${server.url}/postgres`, `create database ${MIGRATED}`)
    await migrate(postgresDialect(`${server.url}/${MIGRATED}`, PATIENT))
    return server
  },
} satisfies Record<string, () => Promise<SharedServer>>

type Name = keyof typeof START

const started = new Map<Name, Promise<SharedServer>>()
let broker: Server

/**
 * Starts Chromium and PostgreSQL once for all test files, when a test first needs them. Vitest
 * calls this in its main process before any test. `GET /browser` and `GET /postgres` start the
 * server if it is not running, and return its URL.
 */
export async function setup(project: TestProject): Promise<void> {
  broker = createServer((request, response) => {
    urlOf(request.url?.slice(1) as Name).then(
      (url) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  project.provide('sharedServers', await listenOnLoopback(broker))
}

/** Stops what was started. Vitest calls this after the tests, even if some failed. */
export async function teardown(): Promise<void> {
  broker.close()
  broker.closeAllConnections()
  const servers = await Promise.allSettled(started.values())
  await Promise.all(
    servers.map(async (server) => server.status === 'fulfilled' && (await server.value.stop())),
  )
}

/** The URL of a shared server. The first test that asks for it waits until the server has started. */
export async function sharedServerUrl(name: Name): Promise<string> {
  const response = await fetch(`${inject('sharedServers')}/${name}`)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

async function urlOf(name: Name): Promise<string> {
  const starting = started.get(name) ?? START[name]()
  started.set(name, starting)
  return (await starting).url
}

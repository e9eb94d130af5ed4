import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase, type Database } from '../../src/database/database.ts'
import { runAdmin } from '../../src/service/admin/run-admin.ts'
import { freePort } from '../../test/support/free-port.ts'
import { startPostgresServer, type PostgresServer } from '../../test/support/postgres-server.ts'
import { startProgram, type Program } from '../../test/support/program.ts'
import { SIGNING_SECRET, SLACK_TOKEN } from '../fake-slack.ts'

/** A commit must survive when PostgreSQL is cut off. It need not survive a power cut here. */
const SETTINGS = { synchronous_commit: 'on' }

/** The link service, and optionally the app, in processes of their own as in production. */
export interface Deployment {
  databaseUrl: string
  database: Database
  postgres: PostgresServer | undefined
  serviceUrl: string
  appUrl: string
  /** Of an organization, without a limit. */
  apiKey: string
  /** `kill -9`, and a new start. */
  restart(name: 'service' | 'app'): Promise<void>
  program(name: 'service' | 'app'): Program
  stop(): Promise<void>
}

/** @param slackApiUrl starts the app too, with this Web API */
export async function deploy(
  kind: 'sqlite' | 'postgres',
  slackApiUrl?: string,
): Promise<Deployment> {
  const directory = await mkdtemp(join(tmpdir(), 'backhalf-reliability-'))
  const postgres = kind === 'postgres' ? await startPostgresServer(SETTINGS) : undefined
  const databaseUrl = postgres
    ? await createDatabase(postgres)
    : `file:${join(directory, 'backhalf.db')}`
  const [servicePort, appPort] = [await freePort(), await freePort()]
  const serviceUrl = `http://127.0.0.1:${servicePort}`
  const common = { DATABASE_URL: databaseUrl, SERVICE_PUBLIC_URL: serviceUrl }
  const startService = (): Promise<Program> =>
    startProgram('service', { ...common, SERVICE_PORT: String(servicePort) }, directory)
  const programs = { service: await startService(), app: undefined as Program | undefined }
  const database = await openDatabase(databaseUrl)
  const apiKey = await createApiKey(databaseUrl)
  const startApp = (apiUrl: string): Promise<Program> =>
    startProgram(
      'start',
      { ...common, PORT: String(appPort), ...appSettings({ apiUrl, serviceUrl, apiKey }) },
      directory,
    )
  if (slackApiUrl) programs.app = await startApp(slackApiUrl)

  function program(name: 'service' | 'app'): Program {
    const found = programs[name]
    if (!found) throw new Error(`the ${name} was not started`)
    return found
  }

  return {
    databaseUrl,
    database,
    postgres,
    serviceUrl,
    appUrl: `http://127.0.0.1:${appPort}`,
    apiKey,
    program,
    async restart(name) {
      await program(name).kill()
      programs[name] = name === 'service' ? await startService() : await startApp(slackApiUrl ?? '')
    },
    async stop() {
      await programs.app?.stop()
      await programs.service.stop()
      await database.close()
      await postgres?.stop()
      await rm(directory, { recursive: true })
    },
  }
}

export function appSettings({
  apiUrl,
  serviceUrl,
  apiKey,
}: Record<'apiUrl' | 'serviceUrl' | 'apiKey', string>): Record<string, string> {
  return {
    ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString('base64'),
    PUBLIC_URL: 'https://links.example.com',
    SLACK_API_URL: apiUrl,
    SLACK_BOT_TOKEN: SLACK_TOKEN,
    SLACK_SIGNING_SECRET: SIGNING_SECRET,
    SHORTLINK_BASE_URL: serviceUrl,
    SHORTLINK_API_KEY: apiKey,
    SHORTLINK_DOMAIN: 'default',
  }
}

async function createDatabase({ url }: PostgresServer): Promise<string> {
  const client = new pg.Client(`${url}/postgres`)
  await client.connect()
  await client.query('create database reliability')
  await client.end()
  return `${url}/reliability`
}

export async function createApiKey(databaseUrl: string): Promise<string> {
  const output: string[] = []
  const publicUrl = 'http://localhost:3001'
  const args = ['keys', 'create', '--rate', '999999999', '--json']
  await runAdmin(args, { databaseUrl, publicUrl, out: (text) => output.push(text) })
  return (JSON.parse(output.join('')) as { key: string }).key
}

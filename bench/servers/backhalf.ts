import { pino } from 'pino'
import { DEFAULT_COMMAND } from '../../src/config/command.ts'
import { openDatabase } from '../../src/database/database.ts'
import { createService } from '../../src/service/server.ts'
import { createToken } from '../../src/service/store/sessions.ts'
import { start } from '../../src/start.ts'
import { SIGNING_SECRET, SLACK_TOKEN } from '../fake-slack.ts'
import { announce, type Announcement } from '../target.ts'

/*
 * Our own programs as in production, except that they log only errors:
 * `backhalf.ts service DATABASE_URL` or `backhalf.ts app SLACK_API_URL DATABASE_URL SERVICE_URL KEY`
 */
const [program, ...args] = process.argv.slice(2)
const logger = pino({ level: 'error' })
announce(program === 'service' ? await startLinkService(args) : await startSlackApp(args))

async function startLinkService([databaseUrl = '']: string[]): Promise<Announcement> {
  const database = await openDatabase(databaseUrl)
  const publicUrl = 'http://localhost:3001'
  const service = await createService({ database, publicUrl, logger })
  const baseUrl = await service.listen({ host: '127.0.0.1', port: 0 })
  const { apiKey } = await service.provision({ id: 'bench', name: 'Benchmark' })
  // The rate limit must not affect the measurement.
  await database.db.updateTable('api_keys').set({ requests_per_minute: 1_000_000_000 }).execute()
  const session = await createToken(database.db, 'session', Date.now())
  return { baseUrl, apiKey, cookie: `backhalf_session=${session}` }
}

async function startSlackApp([
  apiUrl = '',
  databaseUrl = '',
  serviceUrl = '',
  apiKey = '',
]: string[]): Promise<Announcement> {
  const { appUrl } = await start(
    {
      slack: { mode: 'http', signingSecret: SIGNING_SECRET, botToken: SLACK_TOKEN, apiUrl },
      linkService: { kind: 'external', service: 'backhalf', baseUrl: serviceUrl },
      fallback: { apiKey, domain: 'default' },
      command: DEFAULT_COMMAND,
      databaseUrl,
      databasePoolSize: undefined,
      encryptionKeys: undefined,
      host: '127.0.0.1',
      port: 0,
      // With a public URL, QR codes are shown by URL, so no picture is uploaded.
      publicUrl: 'https://links.example.com',
      operator: {},
      unfurlDomains: [],
      slackMcp: false,
      servicePort: 0,
      servicePublicUrl: serviceUrl,
      trustProxy: undefined,
      maxConnectionsPerAddress: undefined,
      blocklistPath: undefined,
      linkQuota: undefined,
      clicksDays: undefined,
      checksDestinations: false,
      metrics: undefined,
      shutdownDelayMs: 0,
      log: { level: 'error', format: 'json' },
    },
    logger,
  )
  return { baseUrl: appUrl, apiKey }
}

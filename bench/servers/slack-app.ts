import { pino } from 'pino'
import { start } from '../../src/start.ts'
import { SIGNING_SECRET, SLACK_TOKEN } from '../fake-slack.ts'
import { announce } from './announce.ts'

/** The real app, as it runs in production but for its log, in front of a link service. */
const [apiUrl = '', databaseUrl = '', serviceUrl = '', apiKey = ''] = process.argv.slice(2)
const { appUrl } = await start(
  {
    slack: { mode: 'http', signingSecret: SIGNING_SECRET, botToken: SLACK_TOKEN, apiUrl },
    linkService: { kind: 'outside', baseUrl: serviceUrl },
    fallback: { apiKey, domain: 'default' },
    databaseUrl,
    encryptionKeys: undefined,
    host: '127.0.0.1',
    port: 0,
    // QR codes are shown by address: no picture is uploaded.
    publicUrl: 'https://links.example.com',
    unfurlDomains: [],
    servicePort: 0,
    servicePublicUrl: serviceUrl,
    trustProxy: undefined,
    blocklistPath: undefined,
    log: { level: 'error', format: 'json' },
  },
  pino({ level: 'error' }),
)
announce({ baseUrl: appUrl, apiKey })

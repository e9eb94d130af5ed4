import { pino } from 'pino'
import { openDatabase } from '../../src/database/database.ts'
import { createService } from '../../src/service/server.ts'

/*
 * Runs the real link service in its own process, which a test can kill. Takes the URL of the
 * database, and prints the service's URL and an API key as one line of JSON.
 */
const [databaseUrl = ''] = process.argv.slice(2)
const service = await createService({
  database: await openDatabase(databaseUrl),
  publicUrl: 'http://localhost:3001',
  logger: pino({ level: 'silent' }),
})
const baseUrl = await service.listen({ host: '127.0.0.1', port: 0 })
const { apiKey } = await service.provision({ id: 'T1', name: 'Acme' })
process.stdout.write(`${JSON.stringify({ baseUrl, apiKey })}\n`)

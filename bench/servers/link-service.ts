import { pino } from 'pino'
import { openDatabase } from '../../src/database/database.ts'
import { createService } from '../../src/service/server.ts'
import { announce } from './announce.ts'

/** The real link service, as it runs in production but for its log. */
const [databaseUrl = ''] = process.argv.slice(2)
const database = await openDatabase(databaseUrl)
const service = await createService({
  database,
  publicUrl: 'http://localhost:3001',
  logger: pino({ level: 'error' }),
})
const baseUrl = await service.listen({ host: '127.0.0.1', port: 0 })
const { apiKey } = await service.provision({ id: 'bench', name: 'Benchmark' })
// What a key may do in a minute is not what is measured.
await database.db.updateTable('api_keys').set({ requests_per_minute: 1_000_000_000 }).execute()
announce({ baseUrl, apiKey })

import { pino } from 'pino'
import { openDatabase } from '../../src/database/database.ts'
import { createService } from '../../src/service/server.ts'
import { announce } from './announce.ts'

/** The real link service, as it runs in production but for its log. */
const [databaseUrl = ''] = process.argv.slice(2)
const service = await createService({
  database: await openDatabase(databaseUrl),
  publicUrl: 'http://localhost:3001',
  logger: pino({ level: 'error' }),
})
const baseUrl = await service.listen({ host: '127.0.0.1', port: 0 })
const { apiKey } = await service.provision({ id: 'bench', name: 'Benchmark' })
announce({ baseUrl, apiKey })

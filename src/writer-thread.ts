import { startSqliteWriterThread } from './database/sqlite-writer-thread.ts'

startSqliteWriterThread(() => import('./writes.ts'))

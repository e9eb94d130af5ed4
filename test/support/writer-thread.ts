import { startSqliteWriterThread } from '../../src/database/sqlite-writer-thread.ts'

startSqliteWriterThread(async () => {
  const { addAccountAndFail, addAccounts, addAccountsDespiteErrors } = await import('./writes.ts')
  return {
    ...(await import('../../src/writes.ts')),
    addAccountAndFail,
    addAccounts,
    addAccountsDespiteErrors,
  }
})

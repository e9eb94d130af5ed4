import * as real from '../../src/database/database.ts'
import { reusedThreads } from './reused-threads.ts'

/** Opens a database as the program does, but with threads that earlier tests have started. */
export function openDatabase(url: string, options: real.OpenOptions = {}): Promise<real.Database> {
  return real.openDatabase(url, { threads: reusedThreads, ...options })
}

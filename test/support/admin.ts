import { runAdmin } from '../../src/service/admin/run-admin.ts'
import { reusedThreads } from './reused-threads.ts'

/** Where an admin command runs. */
export interface AdminOptions {
  databaseUrl: string
  /** SERVICE_PUBLIC_URL. */
  baseUrl?: string | undefined
  now?: (() => number) | undefined
}

/**
 * Runs `npm run admin -- … --json` in this process.
 *
 * @returns what it prints
 * @throws Error with its output if it fails
 */
export async function adminJson<T = Record<string, string>>(
  { databaseUrl, baseUrl: publicUrl = 'http://localhost:3001', now = Date.now }: AdminOptions,
  ...argv: string[]
): Promise<T> {
  const output: string[] = []
  const out = (text: string): void => void output.push(text)
  const options = { databaseUrl, publicUrl, out, now, threads: reusedThreads }
  const code = await runAdmin([...argv, '--json'], options)
  if (code !== 0) throw new Error(output.join(''))
  return JSON.parse(output.join('')) as T
}

/** Creates an organization with a key that allows everything. @returns the key */
export async function createApiKey(options: AdminOptions): Promise<string> {
  const { key = '' } = await adminJson(options, 'keys', 'create', '--rate', '1000000')
  return key
}

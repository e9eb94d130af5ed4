import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** The address of a server under load, and an API key for it. */
export interface Announcement {
  baseUrl: string
  apiKey: string
  /** Of an admin who is signed in to the dashboard. */
  cookie?: string
}

/** A server under load, in a process of its own. */
export interface Target extends Announcement {
  name: string
  process: ChildProcess
  /** The CPU time that its threads have used so far, in microseconds. */
  cpuUs(): Promise<number>
  stop(): Promise<void>
}

/**
 * Starts a server and waits until it announces itself.
 *
 * @param script a file in `servers/`
 */
export async function startTarget(
  name: string,
  script: string,
  args: readonly string[],
): Promise<Target> {
  const child = fork(join(import.meta.dirname, 'servers', script), args)
  const [announcement] = (await once(child, 'message')) as [Announcement]
  return {
    ...announcement,
    name,
    process: child,
    async cpuUs() {
      child.send('cpu')
      const [{ user, system }] = (await once(child, 'message')) as [NodeJS.CpuUsage]
      return user + system
    },
    async stop() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** Called in a server's process: tells the benchmark that the server is ready. */
export function announce(announcement: Announcement): void {
  process.send?.(announcement)
  process.on('message', () => process.send?.(process.cpuUsage()))
}

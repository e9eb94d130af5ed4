import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Announcement } from './servers/announce.ts'

/** A server under load, in a process of its own. */
export interface Target extends Announcement {
  name: string
  process: ChildProcess
  stop(): Promise<void>
}

/** @param script a file in `servers/`, which announces itself */
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
    async stop() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

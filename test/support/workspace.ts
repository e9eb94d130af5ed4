import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fastify } from 'fastify'
import { parse } from 'yaml'
import { playgroundPlugin } from '../../src/playground/plugin.ts'
import type { Refusal } from '../../src/simulator/protocol.ts'
import { PEOPLE } from '../../src/simulator/workspace/seeds.ts'
import {
  createSimulatedWorkspace,
  type SimulatedWorkspace,
} from '../../src/simulator/simulated-workspace.ts'
import type { SimulatedWorkspaceOptions } from '../../src/playground/workspace-options.ts'
import { createPerson, type PersonDriver } from './person.ts'

/** How long `until` waits for its condition, in milliseconds. */
const DEADLINE_MS = 8000

export const SIGNING_SECRET = 'a signing secret of the tests'
export const BOT_TOKEN = 'xoxb-a-token-of-the-tests'

export type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>

/** A simulated Slack workspace that listens on loopback, with drivers for its people. */
export interface TestWorkspace {
  workspace: SimulatedWorkspace
  /** The app's SLACK_API_URL. */
  apiUrl: string
  /** Where the page is. */
  pageUrl: string
  /** An admin. */
  ana: PersonDriver
  /** Not an admin. */
  ben: PersonDriver
  /** A guest. */
  gil: PersonDriver
  /** Where the app listens, for example `http://127.0.0.1:3000/slack/events`. */
  connectApp: (eventsUrl: string) => void
  /**
   * The first truthy value of a condition, which is looked at again after every change of the
   * workspace.
   *
   * @throws after 8 s, with what stands in the workspace then
   */
  until: <T>(condition: () => T) => Promise<Truthy<T>>
  /** What Slack would have refused so far. Assert that it is empty at the end of a test. */
  refusals: () => Refusal[]
  /** The refusals so far, which are forgotten: for a test that expects some. */
  takeRefusals: () => Refusal[]
  failNext: SimulatedWorkspace['failNext']
  close: () => Promise<void>
}

/** The project's own manifest, parsed. */
export function projectManifest(): unknown {
  return parse(readFileSync(join(import.meta.dirname, '../../manifest.yml'), 'utf8'))
}

/** Starts a workspace at a free loopback port, with the project's manifest unless told. */
export async function startSimulatedWorkspace(
  options: Partial<SimulatedWorkspaceOptions> = {},
): Promise<TestWorkspace> {
  const workspace = createSimulatedWorkspace({
    manifest: projectManifest(),
    signingSecret: SIGNING_SECRET,
    ...(!options.oauth && { botToken: BOT_TOKEN }),
    ...options,
  })
  const server = fastify({ forceCloseConnections: true })
  await server.register(playgroundPlugin, { prefix: '/playground', workspace })
  const origin = await server.listen({ host: '127.0.0.1', port: 0 })

  const [ana, ben, gil] = PEOPLE.map(({ id }) => createPerson(workspace, id)) as [
    PersonDriver,
    PersonDriver,
    PersonDriver,
  ]
  const refusals = (): Refusal[] => workspace.state(ana.id).refusals

  return {
    workspace,
    apiUrl: workspace.apiUrl(),
    pageUrl: `${origin}/playground/`,
    ana,
    ben,
    gil,
    connectApp: (url) => workspace.connectApp(url),
    until: (condition) => until(workspace, ana.id, condition),
    refusals,
    takeRefusals() {
      const taken = refusals()
      void workspace.act(ana.id, { type: 'dismiss_refusals' })
      return taken
    },
    failNext: (...fault) => workspace.failNext(...fault),
    close: () => server.close(),
  }
}

async function until<T>(
  workspace: SimulatedWorkspace,
  viewerId: string,
  condition: () => T,
): Promise<Truthy<T>> {
  const { promise, resolve, reject } = Promise.withResolvers<Truthy<T>>()
  const look = (): void => {
    try {
      const found = condition()
      if (found) resolve(found as Truthy<T>)
    } catch (error) {
      reject(error)
    }
  }
  const stop = workspace.onChange(look)
  const timer = setTimeout(() => {
    const state = JSON.stringify(workspace.state(viewerId), undefined, 1).slice(0, 6000)
    reject(new Error(`not so after ${DEADLINE_MS} ms: ${condition.toString()}\n${state}`))
  }, DEADLINE_MS)
  look()
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    stop()
  }
}

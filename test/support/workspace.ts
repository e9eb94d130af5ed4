import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fastify, type FastifyPluginAsync } from 'fastify'
import { parse } from 'yaml'
import { simulatorPlugin } from '../../src/simulator/http/simulator-plugin.ts'
import type { Refusal } from '../../src/simulator/protocol.ts'
import {
  createSimulatedWorkspace,
  type SimulatedWorkspace,
  type SimulatedWorkspaceOptions,
} from '../../src/simulator/simulated-workspace.ts'
import { PEOPLE } from '../../src/simulator/workspace/seeds.ts'
import { createPerson, type PersonDriver } from './person.ts'

/** The timeout of `until`, in milliseconds. */
const DEADLINE_MS = 20_000

/**
 * How long the app may take to acknowledge by default, in milliseconds. It is longer than Slack's
 * 3 s because the machine may be busy.
 */
const ACK_TIMEOUT_MS = 20_000

export const SIGNING_SECRET = 'a signing secret for tests'
export const BOT_TOKEN = 'xoxb-a-token-for-tests'

export type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>

/** A simulated Slack workspace that listens on loopback, with drivers for its people. */
export interface TestWorkspace {
  workspace: SimulatedWorkspace
  /** The app's SLACK_API_URL. */
  apiUrl: string
  /** The URL at which the plugin is served, without a trailing slash. */
  baseUrl: string
  /** An admin. */
  ana: PersonDriver
  /** A member who is not an admin. */
  ben: PersonDriver
  /** A guest. */
  gil: PersonDriver
  /** @param eventsUrl where the app listens, such as `http://127.0.0.1:3000/slack/events` */
  connectApp: (eventsUrl: string) => void
  /**
   * Waits until a condition is truthy. It is checked again after every change of the workspace.
   *
   * @returns the condition's value
   * @throws after 20 s, with the state of the workspace
   */
  until: <T>(condition: () => T) => Promise<Truthy<T>>
  /** What Slack would have rejected so far. Assert at the end of a test that it is empty. */
  refusals: () => Refusal[]
  /** Returns the refusals so far and clears them, for a test that expects some. */
  takeRefusals: () => Refusal[]
  failNext: SimulatedWorkspace['failNext']
  close: () => Promise<void>
}

/** The project's own manifest, parsed. */
export function projectManifest(): unknown {
  return parse(readFileSync(join(import.meta.dirname, '../../manifest.yml'), 'utf8'))
}

/** Starts a workspace on a free loopback port, by default with the project's manifest. */
export async function startSimulatedWorkspace(
  options: Partial<SimulatedWorkspaceOptions> = {},
  plugin: FastifyPluginAsync<{ workspace: SimulatedWorkspace }> = simulatorPlugin,
): Promise<TestWorkspace> {
  const workspace = createSimulatedWorkspace({
    manifest: projectManifest(),
    signingSecret: SIGNING_SECRET,
    ackTimeout: () => AbortSignal.timeout(ACK_TIMEOUT_MS),
    ...(!options.oauth && { botToken: BOT_TOKEN }),
    ...options,
  })
  const server = fastify({ forceCloseConnections: true })
  // With these headers, Chromium would start a process for each page that a test opens.
  server.addHook('onSend', async (_request, reply) => {
    reply.removeHeader('cross-origin-opener-policy').removeHeader('origin-agent-cluster')
  })
  const prefix = '/playground'
  await server.register(plugin, { prefix, workspace })
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
    baseUrl: `${origin}${prefix}`,
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
    failNext: (...failure) => workspace.failNext(...failure),
    close: () => server.close(),
  }
}

async function until<T>(
  workspace: SimulatedWorkspace,
  viewerId: string,
  condition: () => T,
): Promise<Truthy<T>> {
  const { promise, resolve, reject } = Promise.withResolvers<Truthy<T>>()
  const check = (): void => {
    try {
      const value = condition()
      if (value) resolve(value as Truthy<T>)
    } catch (error) {
      reject(error)
    }
  }
  const stop = workspace.onChange(check)
  const timer = setTimeout(() => {
    const state = JSON.stringify(workspace.state(viewerId), undefined, 1).slice(0, 6000)
    reject(new Error(`still false after ${DEADLINE_MS} ms: ${condition.toString()}\n${state}`))
  }, DEADLINE_MS)
  check()
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    stop()
  }
}

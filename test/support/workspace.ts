import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fastify, type FastifyPluginAsync } from 'fastify'
import { parse } from 'yaml'
import { simulatorPlugin } from '../../src/simulator/http/simulator-plugin.ts'
import type { Refusal } from '../../src/simulator/protocol.ts'
import type { Parts, PartsOptions } from '../../src/simulator/parts.ts'
import {
  createSimulatedWorkspace,
  type SimulatedWorkspace,
} from '../../src/simulator/simulated-workspace.ts'
import { APP, PEOPLE, TEAM } from '../../src/simulator/workspace/seeds.ts'
import { injectFailures } from './injected-failures.ts'
import { createPerson, type PersonDriver } from './person.ts'
import type { Consent, SlackOAuth } from './slack-oauth.ts'
import { withTeam, type Team } from './team-payload.ts'
import { until, type Truthy } from './until.ts'

/**
 * How long the app can take to acknowledge a request, and to open a view for its trigger. It is longer than Slack's 3 s,
 * because the machine might be busy.
 */
const PATIENCE_MS = 20_000

export const SIGNING_SECRET = 'a signing secret for tests'
export const BOT_TOKEN = 'xoxb-a-token-for-tests'

/** A simulated Slack workspace that listens on loopback, with drivers for its people. */
export type TestWorkspace = Awaited<ReturnType<typeof startSimulatedWorkspace>>

const MANIFEST: unknown = parse(
  readFileSync(join(import.meta.dirname, '../../manifest.yml'), 'utf8'),
)

/** The project's own manifest, parsed. */
export function projectManifest(): unknown {
  return structuredClone(MANIFEST)
}

export interface WorkspaceOptions extends Partial<PartsOptions> {
  team?: Team
  /** The scopes of the bot token, by default those in the manifest. */
  scopes?: readonly string[]
  /** How often a `slack_file` can't show an upload yet, because Slack is still processing it. */
  fileRefusals?: number
  /** Slack's side of OAuth, shared with the other workspaces in which the app is installed. */
  oauth?: SlackOAuth
}

/** Starts a workspace on a free loopback port, by default with the project's manifest. */
export async function startSimulatedWorkspace(
  { oauth, team = TEAM, scopes, fileRefusals = 0, ...options }: WorkspaceOptions = {},
  plugin: FastifyPluginAsync<{ workspace: SimulatedWorkspace }> = simulatorPlugin,
) {
  const created = createSimulatedWorkspace({
    manifest: projectManifest(),
    signingSecret: SIGNING_SECRET,
    ackTimeout: () => AbortSignal.timeout(PATIENCE_MS),
    // A test with a clock of its own doesn't depend on the machine's speed.
    triggerLifetimeMs: options.now ? undefined : PATIENCE_MS,
    botToken: BOT_TOKEN,
    ...options,
  })
  const { tokens } = created.parts.grants
  if (oauth) tokens.delete(BOT_TOKEN)
  else if (scopes) tokens.set(BOT_TOKEN, { scopes: new Set(scopes) })
  refuseFiles(created.parts.pictures, fileRefusals)
  const { workspace: ofTeam, changeAccount } = withTeam(created, team)
  const workspace = { ...(oauth?.join(ofTeam, team) ?? ofTeam), changeAccount }
  const server = fastify({ forceCloseConnections: true })
  // With these headers, Chromium would start a process for each page that a test opens.
  server.addHook('onSend', async (_request, reply) => {
    reply.removeHeader('cross-origin-opener-policy').removeHeader('origin-agent-cluster')
  })
  const failures = injectFailures(server)
  const prefix = '/playground'
  await server.register(plugin, { prefix, workspace })
  const origin = await server.listen({ host: '127.0.0.1', port: 0 })

  const [ana, ben, gil] = PEOPLE.map(({ id }) => createPerson(workspace, id)) as [
    PersonDriver,
    PersonDriver,
    PersonDriver,
  ]
  /** What Slack would have rejected so far. Assert at the end of a test that it is empty. */
  const refusals = (): Refusal[] => workspace.state(ana.id).refusals

  return {
    workspace,
    /** The app's SLACK_API_URL. */
    apiUrl: `${origin}${prefix}/api/`,
    /** The URL at which the plugin is served, without a trailing slash. */
    baseUrl: `${origin}${prefix}`,
    /** An admin. */
    ana,
    /** A member who is not an admin. */
    ben,
    /** A guest. */
    gil,
    /** @param eventsUrl where the app listens, such as `http://127.0.0.1:3000/slack/events` */
    connectApp: (eventsUrl: string): void => workspace.parts.app.connect(eventsUrl),
    /** Waits until a condition about the workspace is truthy, at most 20 s. @returns its value */
    until: <T>(condition: () => T): Promise<Truthy<T>> => until(workspace, ana.id, condition),
    refusals,
    /** Returns the refusals so far and clears them, for a test that expects some. */
    takeRefusals: (): Refusal[] => {
      const taken = refusals()
      void workspace.act(ana.id, { type: 'dismiss_refusals' })
      return taken
    },
    ...failures,
    /** Answers Slack's consent page. @returns the URL to which Slack redirects the browser */
    consent(authorizeUrl: string, consent: Consent): string {
      if (!oauth) throw new Error('this workspace does not install the app by OAuth')
      return oauth.consent(authorizeUrl, { team, manifest: workspace.parts.manifest }, consent)
    },
    /**
     * Uninstalls the app, whose tokens stop working at once.
     *
     * @returns sends the app the event, dated to the moment of uninstalling
     */
    uninstall() {
      const { clock, events, grants } = workspace.parts
      for (const token of grants.tokens.values()) token.error = 'account_inactive'
      oauth?.uninstall(team)
      const at = Math.floor(clock.now() / 1000)
      const tokens = { oauth: [], bot: [APP.userId] }
      return {
        sendEvent: (type: 'app_uninstalled' | 'tokens_revoked') =>
          events.send(type === 'tokens_revoked' ? { type, tokens } : { type }, at),
      }
    },
    async close(): Promise<void> {
      await server.close()
    },
  }
}

function refuseFiles(pictures: Parts['pictures'], count: number): void {
  const refusals = new Map<unknown, number>()
  const check = pictures.file
  pictures.file = (file) => {
    const refused = refusals.get(file.id) ?? 0
    if (refused >= count) return check(file)
    refusals.set(file.id, refused + 1)
    return 'invalid slack file'
  }
}

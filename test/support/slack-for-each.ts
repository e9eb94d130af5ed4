import type { WebClient } from '@slack/web-api'
import { afterEach, beforeEach } from 'vitest'
import { startRecordingApp, type RecordingApp } from './recording-app.ts'
import { webClient } from './web-client.ts'
import { startSimulatedWorkspace, type TestWorkspace, type WorkspaceOptions } from './workspace.ts'

/**
 * Starts a simulated workspace for each test of a file, with an app that answers as the test says, and closes them after
 * the test. All three are new for each test, from its `beforeEach` on. The workspace knows the app if `connects`.
 *
 * @param options.ackTimeout by default, a test decides when the app’s time is up (`app.ackTimeout`)
 */
export function slackForEach({
  connects = true,
  ...options
}: WorkspaceOptions & { connects?: boolean } = {}): {
  slack: TestWorkspace
  app: RecordingApp
  /** The app’s client. */
  client: WebClient
  /** Replaces the workspace by a new one with these options as well. */
  restart: (more: WorkspaceOptions) => Promise<void>
} {
  const slack = {} as TestWorkspace
  const app = {} as RecordingApp
  const client = Object.create(null) as WebClient
  async function start(more: WorkspaceOptions = {}): Promise<void> {
    // Passes each access on to what was started for the present test.
    const { ackTimeout } = app
    Object.setPrototypeOf(slack, await startSimulatedWorkspace({ ackTimeout, ...options, ...more }))
    Object.setPrototypeOf(client, webClient(slack.apiUrl))
    if (connects) slack.connectApp(app.eventsUrl)
  }
  beforeEach(async () => {
    Object.setPrototypeOf(app, await startRecordingApp())
    await start()
  })
  afterEach(async () => {
    await slack.close()
    await app.close()
  })
  const restart = async (more: WorkspaceOptions): Promise<void> => {
    await slack.close()
    await start(more)
  }
  return { slack, app, client, restart }
}

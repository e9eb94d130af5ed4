import { join } from 'node:path'
import { parse } from 'dotenv'
import { pino } from 'pino'
import { beforeEach, expect } from 'vitest'
import { parseConfig } from '../../src/config/config.ts'
import { start } from '../../src/start.ts'
import { freePort } from '../support/free-port.ts'
import { APP_TOKEN, startSlackWithSockets } from '../support/slack-for-setup.ts'
import { startSocketBridge } from '../support/socket-bridge.ts'
import { withDirectory } from '../support/fixtures.ts'
import { readEnv, startWizard, type Wizard } from '../support/wizard.ts'
import { BOT_TOKEN, type TestWorkspace } from '../support/workspace.ts'

const { test, directory } = withDirectory()
let ports: { app: number; service: number }

beforeEach(async () => {
  ports = { app: await freePort(), service: await freePort() }
})

const startSetup = ({ apiUrl }: TestWorkspace): Promise<Wizard> =>
  startWizard(
    directory.path,
    `SLACK_API_URL=${apiUrl}\nPORT=${ports.app}\nSERVICE_PORT=${ports.service}\n`,
  )

/** Starts Backhalf with nothing but the `.env` file and a place for its data, and types a command in Slack. */
async function expectShortLink(slack: TestWorkspace, eventsUrl: string): Promise<void> {
  const env = {
    ...parse(await readEnv(directory.path)),
    DATABASE_URL: `file:${join(directory.path, 'backhalf.db')}`,
    SHUTDOWN_DELAY: '0',
  }
  const app = await start(parseConfig(env, { isTerminal: false }), pino({ enabled: false }))
  try {
    slack.connectApp(eventsUrl)
    await slack.ana.types('/shorten https://example.com/page', { in: 'general' })
    const [shortUrl = ''] = await slack.until(() =>
      new RegExp(`http://localhost:${ports.service}/\\w+`).exec(
        JSON.stringify(slack.ana.sees('general')),
      ),
    )
    const { status, headers } = await fetch(shortUrl, { redirect: 'manual' })
    expect([status, headers.get('location')]).toEqual([302, 'https://example.com/page'])
    expect(slack.refusals()).toEqual([])
  } finally {
    await app.stop()
  }
}

test('Backhalf starts with what the setup wrote for Socket Mode, and shortens a link', async () => {
  const bridge = await startSocketBridge()
  const slack = await startSlackWithSockets({}, bridge.socketUrl)
  try {
    const wizard = await startSetup(slack)
    await wizard.goes(
      `mode workspaces service place data created appToken=${APP_TOKEN} botToken=${BOT_TOKEN} write`,
    )
    expect(await wizard.ended).toBe(0)
    await expectShortLink(slack, bridge.eventsUrl)
  } finally {
    await slack.close()
    await bridge.close()
  }
})

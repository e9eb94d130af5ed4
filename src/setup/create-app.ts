import { parse, stringify } from 'yaml'
import { unfurlDomains } from '../config/config.ts'
import { manifestText } from '../slack/install/manifest.ts'
import { effectiveValues, effectiveVariables, type Setup } from './ask.ts'
import { openLocalLink } from './local-servers.ts'
import type { Connection } from './slack-questions.ts'

/**
 * Returns a link to Slack's page for new apps, with the manifest filled in
 * (https://docs.slack.dev/app-manifests/configuring-apps-with-app-manifests, “Sharing manifests”). Some servers and
 * terminals refuse a link of 8,000 characters. Without comments and indentation, it has 5,300.
 */
export function createAppLink(manifest: string): string {
  const short = stringify(parse(manifest), { lineWidth: 0, indent: 1, indentSeq: false })
  return `https://api.slack.com/apps?new_app=1&manifest_yaml=${encodeURIComponent(short)}`
}

const STATES = {
  created: { name: 'Yes, or it existed before' },
  manifest: {
    name: 'No, show me what to paste instead',
    description: 'Choose this if your browser is on another machine, or to change an existing app.',
  },
}

export async function createApp(setup: Setup, mode: Connection['mode']): Promise<void> {
  const { terminal } = setup
  const variables = effectiveVariables(setup)
  const { PUBLIC_URL: url } = effectiveValues(setup)
  const http = url !== undefined && { url, hasMcp: variables.SLACK_MCP === 'on' }
  const target = mode === 'socket' || !http ? 'socket' : http
  const manifest = manifestText(target, unfurlDomains(variables), url)
  await using localLink = await openLocalLink(createAppLink(manifest))
  terminal.say(
    `Open this link in your browser. It leads to Slack’s page for new apps, with
everything filled in:

  ${localLink.url}

  1. Sign in if Slack asks you to.
  2. Pick your workspace, and choose Next.
  3. Choose Create. Slack then shows the app’s page “Basic Information”.`,
  )
  while ((await terminal.choose('Is the app created?', 'created', STATES)) !== 'created') {
    terminal.say(
      `For a new app, open https://api.slack.com/apps, choose Create New App, then From
a manifest, and pick your workspace. For an existing app, open it there and
choose App Manifest on the left. Select YAML, and replace everything with this:`,
    )
    terminal.say(manifest)
  }
}

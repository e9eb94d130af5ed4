import { readVariables } from '../config/variables.ts'
import { unfurlDomains } from '../config/unfurl-domains.ts'
import { manifestText } from '../slack/install/manifest.ts'
import type { Connection } from './connection-questions.ts'
import { createAppLink } from './create-app-link.ts'
import { openLocalLink } from './local-link.ts'
import type { Asking } from './questions.ts'

/**
 * Leads through the creation of the app at Slack.
 *
 * @param values the settings so far, which the manifest contains
 */
export async function createApp(
  asking: Asking,
  { mode }: Connection,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const { terminal } = asking
  const url = values.PUBLIC_URL
  const target = mode === 'socket' || url === undefined ? 'socket' : { url }
  const manifest = manifestText(target, unfurlDomains(readVariables(values, [])), url)
  const link = createAppLink(manifest)
  const localLink = await openLocalLink(link)
  try {
    terminal.say(
      `Open this link in your browser. It leads to Slack’s page for new apps, with
everything filled in:

  ${localLink.url}

  1. Sign in if Slack asks you to.
  2. Pick your workspace, and choose Next.
  3. Choose Create. Slack then shows the app’s page “Basic Information”.`,
    )
    await askWhetherCreated(asking, { link, manifest })
  } finally {
    await localLink.close()
  }
}

async function askWhetherCreated(
  { terminal }: Asking,
  { link, manifest }: { link: string; manifest: string },
): Promise<void> {
  for (;;) {
    const state = await terminal.choose('Is the app created?', [
      { value: 'created', name: 'Yes, or it existed before' },
      {
        value: 'link',
        name: 'No, my browser is on another machine',
        description: 'Shows the link to Slack itself. It is very long.',
      },
      {
        value: 'manifest',
        name: 'No, show me what to paste instead',
        description: 'Choose this if the link does not open, or to change an existing app.',
      },
    ])
    if (state === 'created') return
    if (state === 'link') {
      terminal.say('Open this. It is one long line:')
      terminal.say(link)
      continue
    }
    terminal.say(
      `For a new app, open https://api.slack.com/apps, choose Create New App, then From
a manifest, and pick your workspace. For an existing app, open it there and
choose App Manifest on the left. Select YAML, and replace everything with this:`,
    )
    terminal.say(manifest)
  }
}

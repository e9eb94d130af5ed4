import { join } from 'node:path'
import type { Choices } from './ask.ts'

/** In the package's own folder, wherever the command runs. */
const ICON = join(import.meta.dirname, '../../docs/pictures/app-icon.png')

/** What to do after the setup, as numbered steps. */
export function nextSteps(
  { mode, workspaces }: Partial<Choices>,
  {
    PUBLIC_URL: publicUrl,
    SHORTLINK_BASE_URL: otherService,
    SLACK_APP_TOKEN: appToken,
  }: Readonly<Record<string, string>>,
): string {
  const page = appPage(appToken)
  const steps = ['Start Backhalf:  npm start']
  if (mode === 'http') {
    steps.push(
      `If Slack says that the Request URL is not verified: while Backhalf runs,
choose Retry at ${page}
→ Event Subscriptions, and save.`,
    )
  }
  if (workspaces === 'many') {
    steps.push(
      `Activate public distribution at ${page}
→ Manage Distribution. Then install the app in each workspace:
${publicUrl?.replace(/\/$/, '') ?? ''}/slack/install`,
    )
  }
  if (otherService !== undefined) {
    steps.push('Connect the link service. As an admin, type in Slack:  /shorten connect')
  }
  steps.push('Make the first short link. Type in Slack:  /shorten https://example.com')
  steps.push(
    `Give the app its icon, if you like. Upload it at ${page}
→ Basic Information → Display Information → App Icon:
${ICON}`,
  )
  const numbered = steps.map((step, index) => `  ${index + 1}. ${step.replaceAll('\n', '\n     ')}`)
  return `${numbered.join('\n')}

If something does not work, npm run doctor says what and how to fix it.`
}

/** An app-level token contains the app's ID: `xapp-1-A0123456789-…`. */
function appPage(appToken: string | undefined): string {
  const [, id] = /^xapp-\d-(A[A-Z0-9]{8,})-/.exec(appToken ?? '') ?? []
  return `https://api.slack.com/apps${id === undefined ? '' : `/${id}`}`
}

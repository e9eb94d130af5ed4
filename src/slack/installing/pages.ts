import { createHash } from 'node:crypto'
import type { Installation } from '../../workspaces/installations.ts'
import { COMMAND } from '../ids.ts'
import type { InstallFailure } from './failure.ts'
import { STYLE } from './page-style.ts'

/** For the content security policy: this style and no other. */
export const PAGE_STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#1f4f46"/><g fill="none" stroke="#fbfaf7" stroke-width="3" stroke-linecap="round"><path d="M14 11h-3a5 5 0 0 0 0 10h3"/><path d="M18 11h3a5 5 0 0 1 0 10h-3"/><path d="M12.5 16h7"/></g></svg>`

/** Where an installation begins, seen from every page of ours beside it. */
const BEGIN = 'install'

/** The page that an installation begins with. @param authorizeUrl where Slack asks for consent */
export function installPage(authorizeUrl: string): string {
  return page(
    'Add Backhalf to Slack',
    `<h1>Short links, without leaving Slack.</h1>
<p>Type <code>${COMMAND}</code> and a long link in any conversation, and get a short one with its QR code.</p>
${action(authorizeUrl, 'Add to Slack')}
<p class="note">Slack shows you what the app may do before you agree. Reading files is optional: only the picture
of a link’s preview needs it. Your workspace may ask an admin to approve the app.</p>`,
  )
}

/** The page after an installation that worked. */
export function installedPage({
  team,
  enterprise,
  enterpriseUrl,
  isEnterpriseInstall,
  appId,
}: Installation): string {
  const where = escapeHtml(
    (isEnterpriseInstall ? enterprise?.name : team?.name) ?? 'your workspace',
  )
  if (isEnterpriseInstall) {
    const choice = `${enterpriseUrl ?? ''}manage/organization/apps/profile/${appId ?? ''}/workspaces/add`
    return page(
      'Backhalf is installed',
      `<h1>Backhalf is installed for ${where}.</h1>
<p>One more step: an admin of the organization chooses which workspaces have the app. Then type <code>${COMMAND}</code> in any conversation there.</p>
${enterpriseUrl?.startsWith('https://') ? action(choice, 'Choose the workspaces') : ''}`,
    )
  }
  const query = new URLSearchParams({
    ...(appId && { app: appId }),
    ...(team && { team: team.id }),
  })
  return page(
    'Backhalf is installed',
    `<h1>Backhalf is in ${where}.</h1>
<p>Open the app in Slack: it shows the next step to your first short link.</p>
${action(`https://slack.com/app_redirect?${query.toString()}`, 'Open Slack')}`,
  )
}

const FAILURES: Record<InstallFailure, { title: string; text: string }> = {
  cancelled: {
    title: 'Nothing was installed.',
    text: 'You cancelled, or your workspace did not allow it. If an admin has to approve the app first, ask them; then start again.',
  },
  stale: {
    title: 'Please start again.',
    text: 'An installation has to be finished within ten minutes, in the browser that it was begun in, and only once. If you were told before that the app is installed, it is: there is nothing left to do.',
  },
  refused: {
    title: 'Slack did not finish the installation.',
    text: 'Nothing was installed. Start again; if it happens once more, whoever runs this app finds Slack’s reason in its log.',
  },
  unreachable: {
    title: 'Slack can’t be reached right now.',
    text: 'Nothing was installed. Wait a minute, then start again.',
  },
  broken: {
    title: 'Something went wrong on our side.',
    text: 'The installation could not be kept. Start again in a minute; if it happens once more, whoever runs this app finds the reason in its log.',
  },
}

const STATUS: Record<InstallFailure, number> = {
  cancelled: 200,
  stale: 400,
  refused: 502,
  unreachable: 502,
  broken: 500,
}

/** The page after an installation that came to nothing. */
export function failurePage(failure: InstallFailure): { status: number; html: string } {
  const { title, text } = FAILURES[failure]
  const html = page(
    title,
    `<h1>${title}</h1>
<p>${text}</p>
${action(BEGIN, 'Start again')}`,
  )
  return { status: STATUS[failure], html }
}

/** The page while the app starts or stops. */
export function notReadyPage(): string {
  return page(
    'One moment',
    `<h1>One moment, please.</h1>
<p>The app is starting. Try again in a few seconds.</p>
${action(BEGIN, 'Try again')}`,
  )
}

function action(url: string, label: string): string {
  return `<p class="action"><a class="button" href="${escapeHtml(url)}">${label}</a></p>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(MARK)}">
<style>${STYLE}</style>
</head>
<body>
<main>
${MARK}
${content}
</main>
</body>
</html>
`
}

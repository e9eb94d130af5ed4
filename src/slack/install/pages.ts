import type { CodedError } from '@slack/bolt'
import type { ComponentChildren } from 'preact'
import { defineLayout, html, type HtmlPage, LOGO } from '../../web/pages.ts'
import type { Installation } from '../../workspaces/installations.ts'
import { COMMAND } from '../ids.ts'
import { slackErrorCode } from '../platform/slack-errors.ts'

export const INSTALL_LAYOUT = defineLayout({
  width: 'narrow',
  css: `.action { margin: 1.5rem 0; }`,
  embedIcon: true,
})

const INSTALL_PATH = 'install' // Relative, because the app can be below a path.

export function installedPage(installation: Installation): HtmlPage {
  const { team, enterprise, enterpriseUrl, isEnterpriseInstall, appId } = installation
  const name = (isEnterpriseInstall ? enterprise?.name : team?.name) ?? 'your workspace'
  if (isEnterpriseInstall) {
    const workspaces = `${enterpriseUrl ?? ''}manage/organization/apps/profile/${appId ?? ''}/workspaces/add`
    return page('Backhalf is installed', [
      html`<h1>Backhalf is installed for ${name}.</h1>`,
      html`<p>
        One more step: an admin of the organization chooses which workspaces have the app. After
        that, type <code>${COMMAND}</code> in any conversation there.
      </p>`,
      enterpriseUrl?.startsWith('https://') && action(workspaces, 'Choose workspaces'),
    ])
  }
  const query = new URLSearchParams({
    ...(appId && { app: appId }),
    ...(team && { team: team.id }),
  })
  return page('Backhalf is installed', [
    html`<h1>Backhalf is in ${name}.</h1>`,
    html`<p>Open the app in Slack. It shows you how to create your first short link.</p>`,
    action(`https://slack.com/app_redirect?${query.toString()}`, 'Open Slack'),
  ])
}

const FAILURES = {
  cancelled: {
    status: 200,
    title: 'Nothing was installed.',
    text: 'You canceled the installation, or your workspace did not allow it. If an admin has to approve the app first, ask them, and then start again.',
  },
  // The user was too late, used another browser, or loaded a page twice.
  stale: {
    status: 400,
    title: 'Please start again.',
    text: 'You have to finish an installation within ten minutes, in the browser that you started it in, and only once. If a page has already told you that the app is installed, there is nothing left to do.',
  },
  failed: {
    status: 502,
    title: 'The installation was not finished.',
    text: 'Slack might already list the app, but it might not work yet. Start again in a minute. If it happens again, the operator of this app can find the reason in its log.',
  },
}

type InstallFailure = keyof typeof FAILURES

export function failurePage(failure: InstallFailure): { status: number; page: HtmlPage } {
  const { status, title, text } = FAILURES[failure]
  return { status, page: page(title, textAndButton(title, text, 'Start again')) }
}

export function notReadyPage(): HtmlPage {
  const text = 'The app is starting. Try again in a few seconds.'
  return page('One moment', textAndButton('One moment, please.', text, 'Try again'))
}

function textAndButton(heading: string, text: string, label: string): ComponentChildren[] {
  return [html`<h1>${heading}</h1>`, html`<p>${text}</p>`, action(INSTALL_PATH, label)]
}

function action(url: string, label: string): ComponentChildren {
  return html`<p class="action"><a class="button" href=${url}>${label}</a></p>`
}

function page(title: string, content: ComponentChildren): HtmlPage {
  return INSTALL_LAYOUT.render({ title, content: [LOGO, content] })
}

const STALE_CODES = [
  'slack_oauth_missing_state',
  'slack_oauth_invalid_state',
  'slack_oauth_missing_code',
]

const SPENT_CODES = ['invalid_code', 'code_already_used', 'expired_code'] // of the OAuth `code`

export function installFailure(error: Error, slackError: string | null): InstallFailure {
  if (slackError === 'access_denied') return 'cancelled'
  if (slackError !== null) return 'failed'
  const { code = '' } = error as Partial<CodedError>
  const isStale = STALE_CODES.includes(code) || SPENT_CODES.includes(slackErrorCode(error) ?? '')
  return isStale ? 'stale' : 'failed'
}

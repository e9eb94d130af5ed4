import type { ComponentChildren } from 'preact'
import { COMMAND } from '../../config/command.ts'
import type { DashboardRole } from '../../contract/extension-calls.ts'
import { defineLayout, html, type HtmlPage } from '../../web/layout.ts'
import { isUnlimited } from '../store/scopes.ts'
import { EMPTY_FORM, formInputs, PostForm } from './form.ts'
import { alertBox, BRAND, DASHBOARD_STYLE, factList } from './page.ts'
import { type Member, personName, type Viewer } from './viewer.ts'

const LAYOUT = defineLayout({
  width: 'narrow',
  css: `${DASHBOARD_STYLE}
main { max-width: 26rem; } .brand { margin-bottom: 2rem; }
`,
  forms: true,
})

function page(csrf: string, content: ComponentChildren, script = ''): HtmlPage {
  const title = 'Sign in · Backhalf'
  return LAYOUT.render({ title, csrf, content: [BRAND, html`<h1>Sign in</h1>`, content], script })
}

export function signInPage(csrf: string, form = EMPTY_FORM): HtmlPage {
  const { field } = formInputs(form)
  return page(csrf, [
    html`<p class="lead">
      If you use Backhalf in Slack, type <code>${COMMAND} dashboard</code> there.
    </p>`,
    form.alert && alertBox(form.alert),
    html`<${PostForm} action="/dashboard/sign-in" class="stack">
      ${field('password', 'Password of the administrator', {
        type: 'password',
        autocomplete: 'current-password',
        required: true,
      })}
      <button>Sign in</button>
    </${PostForm}>`,
    html`<p>
      <small>
        No password yet, or lost it? On the machine that runs the service,${' '}
        <code>npm run admin -- sign-in link</code> prints a link that signs you in once, and${' '}
        <code>npm run admin -- sign-in password</code> sets a new password.
      </small>
    </p>`,
  ])
}

/**
 * If a one-time link ends with this, its page presses its own button. Browsers don't send this part of a URL, so
 * programs that check links don't act on it.
 */
export const SIGN_IN_AT_ONCE = '#now'

const PRESS_BUTTON = `if (location.hash === '${SIGN_IN_AT_ONCE}') document.forms[0].requestSubmit()`

/**
 * The page that a one-time link opens. It signs the user in only when the button is pressed, because programs that
 * check links open them, but don't press buttons.
 */
export function oneTimePage(
  next: Viewer,
  current: Viewer | undefined,
  { csrf, action, host }: { csrf: string; action: string; host: string },
): HtmlPage {
  const isMember = next.kind === 'member'
  const content = [
    isMember
      ? memberIntroduction(next, host)
      : html`<p class="lead">
          This link signs you in to the dashboard of this link service, once.
        </p>`,
    current && alreadySignedIn(current, next),
    html`<${PostForm} action=${action} class="stack">
      <button>
        ${isMember ? html`<span>Sign in as <bdi>${personName(next)}</bdi></span>` : 'Sign in'}
      </button>
    </${PostForm}>`,
    isMember && memberNotes(next),
  ]
  // Only an administrator's link can press its button, and only if this ends no member's session.
  const needsNoClick = !isMember && current?.kind !== 'member'
  return page(csrf, content, needsNoClick ? PRESS_BUTTON : '')
}

const ROLE_TEXTS: Record<DashboardRole, string> = {
  creator: 'See all links, create links, and change or delete your own',
  editor: 'See, create, change and delete all links',
  admin: 'See, create, change and delete all links; see API keys; see and end sessions',
}

function memberIntroduction(member: Member, host: string) {
  const limit = isUnlimited(member) ? '' : ', as far as the workspace’s API key allows'
  return [
    html`<p class="lead">
      Only go on if you are <bdi>${personName(member)}</bdi>, because all that you do in the
      dashboard is recorded under this name. If you got this link from someone else, close this
      page.
    </p>`,
    factList([
      ['Name', html`<bdi>${personName(member)}</bdi>`],
      ['Workspace', html`<bdi>${member.workspace}</bdi>`],
      ['Link service', host],
      ['You can', ROLE_TEXTS[member.role] + limit],
    ]),
  ]
}

function alreadySignedIn(current: Viewer, next: Viewer) {
  if (next.kind === 'administrator' && current.kind === 'administrator') return null
  const who =
    current.kind === 'administrator'
      ? 'the administrator of this service'
      : html`<bdi>${personName(current)}</bdi> (<bdi>${current.workspace}</bdi>)`
  return html`<div class="alert">
    In this browser, you are signed in as ${who}. The button ends that session.
  </div>`
}

function memberNotes({ ownerName }: Member) {
  return html`<ul>
    <li>
      The links belong to <bdi>${ownerName}</bdi>. If other Slack workspaces are connected to it,
      they share these links.
    </li>
    <li>The naming rules of your workspace don’t apply in the dashboard.</li>
    <li>You are signed out after an hour, or when the API key expires.</li>
  </ul>`
}

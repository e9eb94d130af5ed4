import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { COMMAND } from '../../config/command.ts'
import type { DashboardRole } from '../../contract/extension-calls.ts'
import { formatCount } from '../../web/numbers.ts'
import { defineLayout, html, type HtmlPage, sendPage } from '../../web/pages.ts'
import type { ServiceContext } from '../store/context.ts'
import { isUnlimited } from '../store/scopes.ts'
import { endSession, findViewer, signInByLink } from '../store/sessions.ts'
import { signInByPassword } from '../store/sign-in.ts'
import { type Member, personName, readViewer, sessionCookie, type Viewer } from './access.ts'
import { EMPTY_FORM, type FilledForm, formInputs, formValues, PostForm } from './form.ts'
import { alertBox, BRAND, DASHBOARD_STYLE, factList, KEPT_FOR_BACK } from './page.ts'
import { expiredAddressPage } from './problem-pages.ts'

type ByToken = { Params: { token: string } }

export async function signInRoutes(scope: FastifyInstance, context: ServiceContext) {
  const { db, addresses, now } = context

  const send = (reply: FastifyReply, page: HtmlPage, status = 200): FastifyReply =>
    sendPage(reply, status, page, 'no-store')

  const reject = (reply: FastifyReply, status: number, faults: Partial<FilledForm>) => {
    const form = { ...EMPTY_FORM, ...faults }
    return sendPage(reply, status, signInPage(reply.generateCsrf(), form), KEPT_FOR_BACK)
  }

  async function startSession(request: FastifyRequest, reply: FastifyReply, session: string) {
    const earlierSession = request.cookies[sessionCookie(request)]
    if (earlierSession !== undefined) await endSession(db, earlierSession, now())
    return reply.setCookie(sessionCookie(request), session).redirect('/dashboard', 303)
  }

  scope.get('/dashboard/sign-in', (_request, reply) =>
    send(reply, signInPage(reply.generateCsrf())),
  )

  scope.post('/dashboard/sign-in', async (request, reply) => {
    const { password = '' } = formValues(request)
    if (!password || password.length > 200) {
      const error = 'Enter the password. It has at most 200 characters.'
      return reject(reply, 422, { errors: { password: error } })
    }
    const result = await signInByPassword(db, password, now())
    if (result.outcome === 'signed_in') return startSession(request, reply, result.session)
    if (result.outcome === 'wrong') {
      const error = 'This password is wrong. Passwords are case-sensitive.'
      return reject(reply, 403, { errors: { password: error } })
    }
    const alert = `Too many wrong passwords. Try again in ${formatCount(result.minutes, 'minute')}, or use a one-time link.`
    return reject(reply, 429, { alert })
  })

  // Opening the link changes nothing, because programs that check or preview links open them.
  scope.get<ByToken>('/dashboard/sign-in/:token', async (request, reply) => {
    const { token } = request.params
    const next = await findViewer(db, 'sign_in_link', token, now())
    if (!next) return send(reply, expiredAddressPage(), 410)
    const current = await readViewer(context, request)
    const isMember = next.kind === 'member'
    const content = [
      isMember
        ? memberIntroduction(next, new URL(addresses.origin).host)
        : html`<p class="lead">
            This link signs you in to the dashboard of this link service, once.
          </p>`,
      current && alreadySignedIn(current, next),
      html`<${PostForm} action=${`/dashboard/sign-in/${encodeURIComponent(token)}`} class="stack">
        <button>
          ${isMember ? html`<span>Sign in as <bdi>${personName(next)}</bdi></span>` : 'Sign in'}
        </button>
      </${PostForm}>`,
      isMember && memberNotes(next),
    ]
    // Only an administrator's link can press its button, and only if this ends no member's session.
    const needsNoClick = !isMember && current?.kind !== 'member'
    return send(reply, page(reply.generateCsrf(), content, needsNoClick ? PRESS_BUTTON : ''))
  })

  scope.post<ByToken>('/dashboard/sign-in/:token', async (request, reply) => {
    const session = await signInByLink(db, request.params.token, now())
    if (session === undefined) return send(reply, expiredAddressPage(), 410)
    return startSession(request, reply, session)
  })

  scope.post('/dashboard/sign-out', async (request, reply) => {
    const token = request.cookies[sessionCookie(request)]
    if (token !== undefined) await endSession(db, token, now())
    // The browser then forgets the forms that it has stored (KEPT_FOR_BACK).
    reply.clearCookie(sessionCookie(request)).header('clear-site-data', '"cache"')
    return reply.redirect('/dashboard/sign-in', 303)
  })
}

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

function signInPage(csrf: string, form = EMPTY_FORM): HtmlPage {
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

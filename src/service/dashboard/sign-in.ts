import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { defineLayout, html, type HtmlPage } from '../../web/layout.ts'
import { formatCount } from '../../web/numbers.ts'
import { sendPage } from '../../web/send-page.ts'
import type { ServiceContext } from '../store/context.ts'
import { endSession, SESSION_COOKIE, signInByLink } from '../store/sessions.ts'
import { signInByPassword } from '../store/sign-in.ts'
import { csrfField, formInputs, formValues } from './form.ts'
import { alertBox, BRAND } from './page.ts'
import { DASHBOARD_STYLE } from './style.ts'

export function signInRoutes({
  db,
  addresses: { secure },
  now,
}: ServiceContext): FastifyPluginAsync {
  const cookie = { path: '/dashboard', httpOnly: true, sameSite: 'lax', secure } as const

  const send = (reply: FastifyReply, page: HtmlPage, status = 200): FastifyReply =>
    sendPage(reply, status, page, 'no-store')

  function reject(
    reply: FastifyReply,
    status: number,
    reason: { error: string } | { alert: string },
  ): FastifyReply {
    return send(reply, signInPage(reply.generateCsrf(), reason), status)
  }

  function startSession(reply: FastifyReply, session: string): FastifyReply {
    return reply.setCookie(SESSION_COOKIE, session, cookie).redirect('/dashboard', 303)
  }

  return async (scope) => {
    scope.get('/dashboard/sign-in', (_request, reply) =>
      send(reply, signInPage(reply.generateCsrf())),
    )

    scope.post('/dashboard/sign-in', async (request, reply) => {
      const { password = '' } = formValues(request)
      if (!password || password.length > 200)
        return reject(reply, 422, { error: 'Enter the password. It has at most 200 characters.' })
      const result = await signInByPassword(db, password, now())
      switch (result.outcome) {
        case 'signed_in':
          return startSession(reply, result.session)
        case 'wrong':
          return reject(reply, 403, {
            error: 'This password is wrong. Passwords are case-sensitive.',
          })
        case 'locked':
          return reject(reply, 429, {
            alert: `Too many wrong passwords. Try again in ${formatCount(result.minutes, 'minute')}, or use a one-time link.`,
          })
      }
    })

    scope.get<{ Params: { token: string } }>(
      '/dashboard/sign-in/:token',
      ({ params: { token } }, reply) =>
        send(
          reply,
          oneTimePage(reply.generateCsrf(), `/dashboard/sign-in/${encodeURIComponent(token)}`),
        ),
    )

    scope.post<{ Params: { token: string } }>(
      '/dashboard/sign-in/:token',
      async ({ params: { token } }, reply) => {
        const session = await signInByLink(db, token, now())
        if (session !== undefined) return startSession(reply, session)
        return reject(reply, 403, {
          alert: 'This link has been used, or is more than 15 minutes old. Create a new one.',
        })
      },
    )

    scope.post('/dashboard/sign-out', async (request, reply) => {
      const token = request.cookies[SESSION_COOKIE]
      if (token !== undefined) await endSession(db, token)
      return reply.clearCookie(SESSION_COOKIE, cookie).redirect('/dashboard/sign-in', 303)
    })
  }
}

const LAYOUT = defineLayout({
  width: 'narrow',
  css: `${DASHBOARD_STYLE}
main { max-width: 26rem; } .brand { margin-bottom: 2rem; }
`,
  forms: true,
})

/**
 * The page for signing in with the password.
 *
 * @param error why the password is rejected
 * @param alert another problem
 */
function signInPage(
  csrf: string,
  { error, alert }: { error?: string; alert?: string } = {},
): HtmlPage {
  const { field } = formInputs({ values: {}, errors: error ? { password: error } : {} })
  return LAYOUT.render({
    title: 'Sign in · Backhalf',
    content: [
      BRAND,
      html`<h1>Sign in</h1>`,
      html`<p class="lead">For the admins of this link service.</p>`,
      alert && alertBox(alert),
      html`<form method="post" action="/dashboard/sign-in" class="stack">
        ${csrfField(csrf)}
        ${field('password', 'Password', {
          type: 'password',
          autocomplete: 'current-password',
          required: true,
        })}
        <button>Sign in</button>
      </form>`,
      html`<p>
        <small>
          No password yet, or lost it? On the machine that runs the service,${' '}
          <code>npm run admin -- sign-in link</code> prints a link that signs you in once, and${' '}
          <code>npm run admin -- sign-in password</code> sets a new password.
        </small>
      </p>`,
    ],
  })
}

/**
 * The fragment of a one-time link that no program checks, because a browser is redirected to it. Its page presses its
 * own button.
 */
export const SIGN_IN_AT_ONCE = '#now'

const PRESS_BUTTON = `if (location.hash === '${SIGN_IN_AT_ONCE}') document.forms[0].requestSubmit()`

/** The page of a one-time link. It has a button, because programs that check links don't press buttons. */
function oneTimePage(csrf: string, action: string): HtmlPage {
  return LAYOUT.render({
    title: 'Sign in · Backhalf',
    script: PRESS_BUTTON,
    content: [
      BRAND,
      html`<h1>Sign in</h1>`,
      html`<p class="lead">This link signs you in to the dashboard of this link service, once.</p>`,
      html`<form method="post" action=${action} class="stack">
        ${csrfField(csrf)}
        <button>Sign in</button>
      </form>`,
    ],
  })
}

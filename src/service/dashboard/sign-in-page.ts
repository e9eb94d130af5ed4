import { defineLayout, html, type HtmlPage } from '../../web/layout.ts'
import { csrfField, formInputs } from './form.ts'
import { alertBox, BRAND } from './page.ts'
import { DASHBOARD_STYLE } from './style.ts'

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
export function signInPage(
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
          maxLength: 200,
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
export function oneTimePage(csrf: string, action: string): HtmlPage {
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

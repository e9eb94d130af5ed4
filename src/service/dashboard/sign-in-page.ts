import { html } from '../pages/html.ts'
import { widePage } from '../pages/wide-page.ts'
import { BRAND, csrfField, field } from './layout.ts'

/**
 * Where the administrator signs in with the password.
 *
 * @param fault what is wrong with the password
 * @param problem what else went wrong
 */
export function signInPage({
  csrf,
  fault,
  problem,
}: {
  csrf: string
  fault?: string
  problem?: string
}): string {
  return widePage({
    title: 'Sign in · Backhalf',
    content: html`<div class="narrow">
      ${BRAND}
      <h1>Sign in</h1>
      <p class="lead">To the dashboard of this link service.</p>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <form method="post" action="/dashboard/sign-in" class="stack">
        ${csrfField(csrf)}
        ${field({
          name: 'password',
          label: 'Password',
          type: 'password',
          autocomplete: 'current-password',
          required: true,
          maxLength: 200,
          fault,
        })}
        <button>Sign in</button>
      </form>
      <p>
        <small>
          No password yet, or lost? On the service’s machine,${' '}
          <code>npm run admin -- sign-in link</code> gives you a link that signs you in once,
          and${' '} <code>npm run admin -- sign-in password</code> a new password.
        </small>
      </p>
    </div>`,
  })
}

/** A one-time link asks before it is used up: programs that look at links press no buttons. */
export function oneTimePage({ csrf, action }: { csrf: string; action: string }): string {
  return widePage({
    title: 'Sign in · Backhalf',
    content: html`<div class="narrow">
      ${BRAND}
      <h1>Sign in</h1>
      <p class="lead">This link signs you in to the dashboard of this link service, once.</p>
      <form method="post" action=${action} class="stack">
        ${csrfField(csrf)}
        <button>Sign in</button>
      </form>
    </div>`,
  })
}

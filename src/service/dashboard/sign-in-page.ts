import { html } from '../pages/html.ts'
import { widePage } from '../pages/wide-page.ts'
import { csrfField, field } from './layout.ts'

/** Where the administrator signs in with the password. */
export function signInPage({ csrf, fault }: { csrf: string; fault?: string }): string {
  return widePage({
    title: 'Sign in · Backhalf',
    content: html`<div class="narrow">
      <h1>Sign in</h1>
      <p class="lead">To the dashboard of this link service.</p>
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
      <h1>Sign in</h1>
      <p class="lead">This link signs you in to the dashboard of this link service, once.</p>
      <form method="post" action=${action} class="stack">
        ${csrfField(csrf)}
        <button>Sign in</button>
      </form>
    </div>`,
  })
}

import type { ComponentChildren } from 'preact'
import { html } from '../pages/html.ts'
import type { listApiKeys } from '../store/api-keys.ts'
import type { DomainRow } from '../store/domains.ts'
import type { Owner } from '../store/owners.ts'
import { COPY_SCRIPT } from './copy-script.ts'
import { dashboardPage, day, postButton, table, type FilledForm } from './layout.ts'
import { newKeyForm } from './new-key-form.ts'

type ListedKey = Awaited<ReturnType<typeof listApiKeys>>[number]

export function keysPage({
  csrf,
  keys,
  owners,
  domains,
  form,
  problem,
  now,
}: {
  csrf: string
  keys: readonly ListedKey[]
  owners: readonly Owner[]
  domains: readonly DomainRow[]
  form: FilledForm
  problem?: string | undefined
  now: number
}): string {
  const valid = keys.filter((key) => state(key, now) === 'valid')
  const ended = keys.filter((key) => state(key, now) !== 'valid')
  return dashboardPage({
    section: '/dashboard/keys',
    title: 'API keys',
    csrf,
    content: [
      problem && html`<p class="problem" role="alert">${problem}</p>`,
      valid.length === 0
        ? html`<p class="lead">No keys yet.</p>`
        : table(
            'API keys',
            ['Name', 'Key', 'Owner', 'May', 'Last used', 'Ends', 'Change'],
            valid.map(keyRow),
          ),
      ended.length > 0 &&
        html`<details>
          <summary>${ended.length === 1 ? '1 key has' : `${ended.length} keys have`} ended</summary>
          ${table(
            'Ended API keys',
            ['Name', 'Key', 'Owner', 'Ended'],
            ended.map((key) => [
              key.name,
              html`<code>${key.prefix}…</code>`,
              key.owner_name,
              day(key.revoked_at ?? key.expires_at ?? 0),
            ]),
          )}
        </details>`,
      html`<section id="new">
        <h2>New key</h2>
        ${
          owners.length === 0
            ? html`<p>
                There is nobody to own it. Add an organization first:${' '}
                <code>npm run admin -- orgs add NAME</code>
              </p>`
            : newKeyForm({ csrf, owners, domains, form })
        }
      </section>`,
    ],
  })
}

function keyRow(key: ListedKey): ComponentChildren[] {
  return [
    html`<div>
      <bdi>${key.name}</bdi>
      ${key.description !== null && html`<small><bdi>${key.description}</bdi></small>`}
    </div>`,
    html`<code>${key.prefix}…</code>`,
    `${key.owner_name} (${key.owner_kind === 'organization' ? 'Organization' : 'Self'})`,
    mayWords(key),
    key.last_used_at === null ? 'Never' : day(key.last_used_at),
    key.expires_at === null ? 'Never' : day(key.expires_at),
    html`<div class="actions">
      <a href=${`/dashboard/keys/${key.id}/rotate`} aria-label=${`Rotate: ${key.name}`}>Rotate</a>
      <a
        class="danger"
        href=${`/dashboard/keys/${key.id}/revoke`}
        aria-label=${`Revoke: ${key.name}`}
        >Revoke</a
      >
    </div>`,
  ]
}

function mayWords({ permissions, scopes, domain_ids: domainIds }: ListedKey): string {
  if (permissions === 'all') return 'Read and create'
  if (permissions === 'read_only') return 'Read only'
  const limited = domainIds === null ? '' : ', on some domains'
  return (JSON.parse(scopes) as string[]).join(', ') + limited
}

/** The one time that a key is shown. */
export function keyMadePage({ csrf, key }: { csrf: string; key: string }): string {
  return dashboardPage({
    section: '/dashboard/keys',
    title: 'Your new key',
    csrf,
    script: COPY_SCRIPT,
    content: [
      html`<p class="lead">Copy it now: it is shown this once, and nobody can show it again.</p>`,
      html`<p class="secret">
        <code id="key">${key}</code>
        <button type="button" id="copy" hidden>Copy</button>
        <span id="copied" role="status"></span>
      </p>`,
      html`<p><a href="/dashboard/keys">Back to the keys</a></p>`,
    ],
  })
}

/** Asks before a key ends. */
export function confirmKeyPage({
  csrf,
  action,
  key,
}: {
  csrf: string
  action: 'rotate' | 'revoke'
  key: Pick<ListedKey, 'id' | 'name' | 'prefix' | 'owner_name' | 'last_used_at'>
}): string {
  const rotate = action === 'rotate'
  return dashboardPage({
    section: '/dashboard/keys',
    title: rotate ? `Rotate “${key.name}”?` : `Revoke “${key.name}”?`,
    csrf,
    content: [
      html`<p class="lead">
        ${
          rotate
            ? 'You get a new key. The old one ends at once: whatever uses it stops working until it has the new one.'
            : 'The key ends at once: whatever uses it stops working. Its links stay.'
        }
      </p>`,
      html`<p>
        It is <code>${key.prefix}…</code>, belongs to ${key.owner_name}, and was
        ${key.last_used_at === null ? ' never used.' : html` last used on ${day(key.last_used_at)}.`}
      </p>`,
      html`<div class="actions">
        ${postButton({
          action: `/dashboard/keys/${key.id}/${action}`,
          csrf,
          label: rotate ? 'Rotate the key' : 'Revoke the key',
          about: `${key.name}, ${key.prefix}…`,
          danger: true,
        })}
        <a href="/dashboard/keys">Keep it</a>
      </div>`,
    ],
  })
}

function state(
  { revoked_at: revokedAt, expires_at: expiresAt }: ListedKey,
  now: number,
): 'valid' | 'ended' {
  return revokedAt === null && (expiresAt === null || now < expiresAt) ? 'valid' : 'ended'
}

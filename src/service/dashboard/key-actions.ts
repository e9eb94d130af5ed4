import { html } from '../../web/layout.ts'
import type { ListedKey } from '../store/api-keys.ts'
import { confirmButton } from './form.ts'
import { type DashboardPage, day } from './page.ts'

/** What an administrator can do with a key, after a confirmation. */
export const KEY_ACTIONS = {
  rotate: {
    label: 'Rotate',
    title: 'Rotate',
    button: 'Rotate key',
    lead: 'You get a new key, and the old one stops working immediately. Programs that use it fail until you give them the new one.',
  },
  revoke: {
    label: 'Revoke',
    title: 'Revoke',
    button: 'Revoke key',
    lead: 'The key stops working immediately, and programs that use it fail. Its links stay.',
  },
  'allow-sign-in': {
    label: 'Allow sign-in',
    title: 'Allow sign-in with',
    button: 'Allow sign-in',
    lead: 'The program that has this key can then sign people in to this dashboard. There, these people can do no more than the key itself allows.',
  },
  'stop-sign-in': {
    label: 'Stop sign-in',
    title: 'Stop sign-in with',
    button: 'Stop sign-in',
    lead: 'The key can no longer sign people in to this dashboard. The people whom it has signed in are signed out immediately.',
  },
} as const

export type KeyAction = keyof typeof KEY_ACTIONS

/** Asks for confirmation before something is done with a key. */
export function confirmKeyPage(
  action: KeyAction,
  key: Pick<ListedKey, 'id' | 'name' | 'prefix' | 'owner_name' | 'last_used_at'>,
): DashboardPage {
  const { title, button, lead } = KEY_ACTIONS[action]
  const [path, about] = [`/dashboard/keys/${key.id}/${action}`, `${key.name}, ${key.prefix}…`]
  return {
    section: '/dashboard/keys',
    title: `${title} “${key.name}”?`,
    content: (csrf) => [
      html`<p class="lead">${lead}</p>`,
      html`<p>
        The key is <code>${key.prefix}…</code>. It belongs to ${key.owner_name} and was
        ${key.last_used_at === null ? ' never used.' : html` last used on ${day(key.last_used_at)}.`}
      </p>`,
      confirmButton({ action: path, csrf, label: button, about }, '/dashboard/keys'),
    ],
  }
}

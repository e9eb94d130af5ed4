import type { Button } from '@slack/types'
import { z } from 'zod'
import type { AlertSubject } from '../../workspaces/alerts.ts'
import { ACTIONS } from '../ids.ts'
import { button } from './elements.ts'
import { LIMITS } from './limits.ts'

const start = z.tuple([z.enum(['link', 'tag', 'campaign', 'all']), z.string()])

/** What the form of a new alert starts with: what it is about, and the short URL or the name of that. */
export type AlertStart = [kind: AlertSubject['kind'], name: string]

/** The button that opens the form of a new alert. None if the name leaves no room for it. */
export function alertButton(about: AlertStart): Button[] {
  const value = JSON.stringify(about)
  const fits = value.length <= LIMITS.buttonValue
  return fits ? [button('Alert me', ACTIONS.newAlert, { value })] : []
}

/** Decodes the button's value; undefined if the form starts empty. @throws if this app did not encode it */
export function decodeAlertStart(value: string): AlertStart | undefined {
  return value === '' ? undefined : start.parse(JSON.parse(value))
}

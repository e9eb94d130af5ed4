import type { Button } from '@slack/types'
import { z } from 'zod'
import type { AlertSubject } from '../../workspaces/alerts.ts'
import { ACTIONS } from '../ids.ts'
import { button, LIMITS } from './elements.ts'

const alertStart = z.tuple([z.enum(['link', 'tag', 'campaign', 'all']), z.string()])

/** What the button *Alert me* fills into the form for a new alert. `name` is a short URL, a tag or a campaign. */
export type AlertStart = [kind: AlertSubject['kind'], name: string]

export function alertButton(start: AlertStart): Button[] {
  const value = JSON.stringify(start)
  const fits = value.length <= LIMITS.buttonValue
  return fits ? [button('Alert me', ACTIONS.newAlert, { value })] : []
}

export function decodeAlertStart(value: string): AlertStart | undefined {
  return value === '' ? undefined : alertStart.parse(JSON.parse(value))
}

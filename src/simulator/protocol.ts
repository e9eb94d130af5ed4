/**
 * What the simulated workspace shares with the page in the browser and the tests. The page can import only types from
 * it, because it can import values only from `shared/`. `blocks`, `view` and `values` are Slack's own JSON.
 */

import { z } from 'zod'
import type { Manifest } from './manifest.ts'
import type { SlackJson } from './shared/slack-json.ts'

export type { BlockType, ValueElement } from './block-kit/schemas.ts'
export type { FunctionDefinition } from './manifest.ts'
export type { SlackJson }

export interface WorkspaceState {
  app: { name: string; botUserId: string; manifest: Manifest }
  people: readonly Person[]
  viewer: string
  conversations: Conversation[]
  /** The messages of each conversation, oldest first. Ephemeral messages are included only if the viewer sees them. */
  messages: Record<string, Message[]>
  home?: SlackJson
  /** A stack, with the top modal last. */
  modals: Modal[]
  files: Record<string, FileInfo>
  stepRuns: StepRun[]
  refusals: Refusal[]
}

/** A person as `users.info` returns them. The page shows the members listed here, and tests change them. */
export interface Person extends SlackJson {
  id: string
  name: string
  real_name: string
  tz: string
  is_admin: boolean
  is_restricted: boolean
}

export interface Conversation {
  id: string
  kind: 'channel' | 'app_dm'
  /** A channel's name without `#`, or the app's name for direct messages. */
  name: string
  purpose: string
  /** If the app is not a member, it can only respond through a response_url. */
  appIsMember: boolean
}

export interface Message {
  ts: string
  threadTs?: string | undefined
  author: { kind: 'person'; id: string } | { kind: 'app' }
  text: string
  blocks?: SlackJson[]
  attachments?: SlackJson[]
  files?: readonly string[]
  ephemeral: boolean
  visibleTo?: string | undefined
  edited: boolean
}

export interface Modal {
  id: string
  view: SlackJson
  errors: Record<string, string>
  submitting: boolean
  trouble?: string | undefined
}

export interface FileInfo {
  id: string
  name: string
  mimetype: string
  size: number
  url: string
}

export interface StepRun {
  id: string
  callbackId: string
  inputs: SlackJson
  outcome?: { ok: true; outputs: SlackJson } | { ok: false; error: string }
}

export interface Refusal {
  id: number
  /** What the app sent: a call of a Web API method such as `views.open`, or `response_url` or `ack`. */
  where: string
  error: string
  /** For example `[ERROR] … [json-pointer:/blocks/0/text]`. */
  details: readonly string[]
}

const id = z.string().min(1).max(255)
const json = z.record(z.string(), z.unknown())
const values = z.record(z.string(), z.record(z.string(), json))

const container = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('message'), conversation: id, ts: id }),
  z.strictObject({ kind: z.literal('modal'), id }),
  z.strictObject({ kind: z.literal('home') }),
])

export type Container = z.output<typeof container>

export const actionSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('write'),
    conversation: id,
    text: z.string(),
    files: z.array(id).max(10).exactOptional(),
    threadTs: id.exactOptional(),
  }),
  // Uses an element, such as a button or a menu. `element` is its JSON with the new `value`, `selected_option` …
  z.strictObject({
    type: z.literal('block_action'),
    container,
    values,
    blockId: id,
    element: json,
  }),
  z.strictObject({ type: z.literal('submit_modal'), id, values }),
  z.strictObject({ type: z.literal('close_modal'), id }),
  z.strictObject({
    type: z.literal('global_shortcut'),
    callbackId: id,
    conversation: id.exactOptional(),
  }),
  z.strictObject({ type: z.literal('message_shortcut'), callbackId: id, conversation: id, ts: id }),
  z.strictObject({ type: z.literal('open_home') }),
  z.strictObject({ type: z.literal('run_step'), callbackId: id, inputs: json }),
  z.strictObject({ type: z.literal('invite_app'), conversation: id, member: z.boolean() }),
  z.strictObject({ type: z.literal('dismiss_message'), conversation: id, ts: id }),
  z.strictObject({ type: z.literal('dismiss_refusals') }),
])

export type Action = z.output<typeof actionSchema>

export type ActionOf<Type extends Action['type']> = Extract<Action, { type: Type }>

/** Slack's `state.values`: what a person has entered or selected in each element, by block_id and action_id. */
export type ViewValues = Record<string, Record<string, SlackJson>>

export type ActionResult = { ok: true } | { ok: false; message: string }

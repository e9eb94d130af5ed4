/**
 * The types that the simulated workspace shares with the page in the browser and the tests. It has only types,
 * because the page can import values only from `shared/`. `blocks`, `view` and `values` are Slack's own JSON.
 */

import type { Manifest } from './manifest.ts'
import type { SlackJson } from './shared/slack-json.ts'
import type { Action } from './actions.ts'

export type { Action, Container } from './actions.ts'
export type { BlockType } from './block-kit/blocks.ts'
export type { ValueElement } from './block-kit/elements.ts'
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

export interface Person {
  id: string
  name: string
  realName: string
  displayName: string
  admin: boolean
  guest: boolean
  tz: string
}

export interface Conversation {
  id: string
  /** Only the app can post in its direct messages. */
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
  /** The only person who sees an ephemeral message. */
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

export type ActionOf<Type extends Action['type']> = Extract<Action, { type: Type }>

/** Slack's `state.values`: what a person has entered or selected in each element, by block_id and action_id. */
export type ViewValues = Record<string, Record<string, SlackJson>>

export type ActionResult = { ok: true } | { ok: false; message: string }

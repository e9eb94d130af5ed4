/**
 * The types that the simulated workspace shares with its users: the page in the browser (as JSON
 * over HTTP) and the tests (as calls). Types only, because the page imports this file too.
 *
 * `blocks`, `view`, `values` and the like are Slack's own JSON.
 */

import type { Manifest } from './manifest.ts'
import type { SlackJson } from './shared/slack-json.ts'

export type { Action, Container } from './actions.ts'
export type { BlockType } from './block-kit/blocks.ts'
export type { ValueElement } from './block-kit/elements.ts'
export type { FunctionDefinition } from './manifest.ts'
export type { SlackJson }

/** Everything that a person sees of the workspace. Sent in full after every change. */
export interface WorkspaceState {
  app: { name: string; botUserId: string; manifest: Manifest }
  people: Person[]
  viewer: string
  conversations: Conversation[]
  /** Messages by conversation id, oldest first; ephemeral ones only if the viewer sees them. */
  messages: Record<string, Message[]>
  home?: SlackJson
  /** The viewer's open modals, the top one last. */
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
  kind: 'channel' | 'app_dm'
  /** A channel's name without `#`, or the app's name for direct messages. */
  name: string
  purpose: string
  /** Whether the app is a member. If not, it can only answer through a response_url. */
  appIsMember: boolean
  readOnly: boolean
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
  edited: boolean
}

export interface Modal {
  id: string
  view: SlackJson
  errors: Record<string, string>
  submitting: boolean
  trouble?: string
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
  /** A Web API method (`views.open`), `response_url`, or `ack`. */
  where: string
  error: string
  /** The reasons: `[ERROR] …[json-pointer:/blocks/0/text]`. */
  details: string[]
}

/** The values of a view's inputs: block_id → action_id → Slack's state of that element. */
export type ViewValues = Record<string, Record<string, SlackJson>>

/** `ok: false` has the message that Slack would show. */
export type ActionResult = { ok: true } | { ok: false; message: string }

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
  /** The id of the person who sees this. */
  viewer: string
  conversations: Conversation[]
  /** Messages by conversation id, oldest first; ephemeral ones only if the viewer sees them. */
  messages: Record<string, Message[]>
  /** The viewer's Home tab, once the app has published it. */
  home?: SlackJson
  /** The viewer's open modals, the top one last. */
  modals: Modal[]
  files: Record<string, FileInfo>
  /** Runs of the app's steps in the viewer's workflows, newest last. */
  stepRuns: StepRun[]
  /** What Slack would have rejected, newest last. */
  refusals: Refusal[]
}

export interface Person {
  id: string
  /** The short name, as in `@name`. */
  name: string
  realName: string
  /** What the person chose to be called; empty if nothing. */
  displayName: string
  admin: boolean
  /** A multi-channel guest (`is_restricted`). */
  guest: boolean
  /** The name of the person's time zone in the IANA database. */
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
  /** Whether only the app can write here, as its manifest can require in direct messages. */
  readOnly: boolean
}

export interface Message {
  ts: string
  /** Set on a reply: the `ts` of the message that it answers. */
  threadTs?: string | undefined
  author: { kind: 'person'; id: string } | { kind: 'app' }
  text: string
  blocks?: SlackJson[]
  attachments?: SlackJson[]
  /** The ids of files that are shared in it. */
  files?: readonly string[]
  ephemeral: boolean
  edited: boolean
}

export interface Modal {
  id: string
  view: SlackJson
  /** Messages by block_id, from the last submission. */
  errors: Record<string, string>
  /** Whether a submission is waiting for the app's acknowledgement. */
  submitting: boolean
  /** What Slack shows in the modal if the app did not answer properly. */
  trouble?: string
}

export interface FileInfo {
  id: string
  name: string
  mimetype: string
  /** Bytes. */
  size: number
  /** Where the page loads the file from. */
  url: string
}

/** A run of a step. It has no outcome while it is running. */
export interface StepRun {
  /** Slack's function_execution_id. */
  id: string
  callbackId: string
  inputs: SlackJson
  outcome?: { ok: true; outputs: SlackJson } | { ok: false; error: string }
}

/** Something that Slack would have rejected. */
export interface Refusal {
  id: number
  /** A Web API method (`views.open`), `response_url`, or `ack`. */
  where: string
  /** Slack's error code, such as `invalid_blocks`. */
  error: string
  /** The reasons: `[ERROR] …[json-pointer:/blocks/0/text]`. */
  details: string[]
}

/** The values of a view's inputs: block_id → action_id → Slack's state of that element. */
export type ViewValues = Record<string, Record<string, SlackJson>>

/** `ok: false` has the message that Slack would show. */
export type ActionResult = { ok: true } | { ok: false; message: string }

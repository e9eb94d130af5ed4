/**
 * What passes between the simulated workspace and whoever uses it: the page in the browser
 * (as JSON over HTTP) and the tests (as calls). Types only: the page imports this file too.
 *
 * Block Kit travels as Slack writes it (`blocks`, `view`, `values` are Slack's own JSON).
 */

/** Slack's JSON, unchecked on its way to the page. */
export type SlackJson = Record<string, unknown>

/** Everything that one person sees of the workspace. Sent whole on every change. */
export interface WorkspaceState {
  app: SimulatedApp
  people: Person[]
  /** The person whose eyes these are. */
  viewer: string
  conversations: Conversation[]
  /** Messages by conversation id, oldest first; ephemeral ones only where the viewer sees them. */
  messages: Record<string, Message[]>
  /** The viewer's App Home, once the app has published one. */
  home?: SlackJson
  /** The viewer's open modals, the top one last. */
  modals: Modal[]
  /** Files by id, as images and uploads name them. */
  files: Record<string, FileInfo>
  /** What the viewer's workflows have run of the app's steps, newest last. */
  stepRuns: StepRun[]
  /** What the simulation refused as Slack would, newest last. */
  refusals: Refusal[]
}

/** The app as its manifest describes it. */
export interface SimulatedApp {
  name: string
  botUserId: string
  color: string
  commands: { command: string; description: string; usageHint: string }[]
  globalShortcuts: { name: string; callbackId: string; description: string }[]
  messageShortcuts: { name: string; callbackId: string; description: string }[]
  /** Steps for workflows. */
  steps: StepDefinition[]
  /** Whether the manifest turns the Home tab on. */
  home: boolean
}

export interface Person {
  id: string
  /** Short name, as in `@name`. */
  name: string
  realName: string
  admin: boolean
  /** A guest of several channels (`is_restricted`), whom some workspaces allow less. */
  guest: boolean
}

export interface Conversation {
  id: string
  kind: 'channel' | 'app_dm'
  /** A channel's name without `#`; the app's name for its DM. */
  name: string
  purpose: string
  /** Whether the app is in it: where it isn't, only a `response_url` reaches it. */
  appIsMember: boolean
  /** Whether only the app writes here: its manifest can turn people's messages to it off. */
  readOnly: boolean
}

export interface Message {
  ts: string
  /** Set on a reply, to the `ts` of the message that it answers. */
  threadTs?: string
  author: { kind: 'person'; id: string } | { kind: 'app' }
  text: string
  blocks?: SlackJson[]
  attachments?: SlackJson[]
  /** Ids of files that hang on the message. */
  files: string[]
  ephemeral: boolean
  edited: boolean
}

export interface Modal {
  id: string
  view: SlackJson
  /** Messages by block_id, from the app's last answer to a submission. */
  errors: Record<string, string>
  /** Set while a submission waits for the app's acknowledgement. */
  submitting: boolean
  /** What Slack would show in the modal when the app did not answer in time. */
  trouble?: string
}

export interface FileInfo {
  id: string
  name: string
  mimetype: string
  /** Bytes. */
  size: number
  /** Where the page finds the bytes. */
  url: string
}

/** A step for workflows, as the manifest defines it. */
export interface StepDefinition {
  callbackId: string
  title: string
  description: string
  inputs: StepParameter[]
  outputs: StepParameter[]
}

export interface StepParameter {
  name: string
  /** Slack's word, for example `string` or `slack#/types/user_id`. */
  type: string
  title: string
  description: string
  hint: string
  required: boolean
}

/** One run of a step. Without an outcome, the app has not said yet how it went. */
export interface StepRun {
  /** Slack's function_execution_id. */
  id: string
  callbackId: string
  inputs: SlackJson
  outcome?: { ok: true; outputs: SlackJson } | { ok: false; error: string }
}

/** Something that Slack would have refused, in Slack's own error codes. */
export interface Refusal {
  id: number
  /** A Web API method (`views.open`), `response_url`, or `ack`. */
  where: string
  /** Slack's error code, for example `invalid_blocks`. */
  error: string
  /** What is wrong, where: `[ERROR] …[json-pointer:/blocks/0/text]`. */
  details: string[]
}

/** The values of a view's inputs: block_id → action_id → Slack's state of that element. */
export type ViewValues = Record<string, Record<string, SlackJson>>

/** Where a pressed element stands. */
export type Container =
  /** `attachment` is the place, from 0, of the attachment that it stands in. */
  | { kind: 'message'; conversation: string; ts: string; attachment?: number }
  | { kind: 'modal'; id: string; values: ViewValues }
  | { kind: 'home'; values: ViewValues }

/** What a person can do. */
export type Action =
  /** Writes into a conversation: a slash command where the text begins with one of the app's. */
  | { type: 'write'; conversation: string; text: string; threadTs?: string }
  /** Uses an element. `element` is its Slack JSON with the outcome: `value`, `selected_option` … */
  | { type: 'block_action'; container: Container; blockId: string; element: SlackJson }
  | { type: 'submit_modal'; id: string; values: ViewValues }
  | { type: 'close_modal'; id: string }
  /** `conversation` is what the person has before them; absent in the app's Home. */
  | { type: 'global_shortcut'; callbackId: string; conversation?: string }
  | { type: 'message_shortcut'; callbackId: string; conversation: string; ts: string }
  | { type: 'open_home' }
  /** Lets a workflow run one of the app's steps, with these inputs. */
  | { type: 'run_step'; callbackId: string; inputs: SlackJson }
  /** Adds the app to a channel, or takes it out. */
  | { type: 'invite_app'; conversation: string; member: boolean }
  | { type: 'dismiss_message'; conversation: string; ts: string }
  | { type: 'dismiss_refusals' }

/** `ok: false` says in words what Slack would show the person. */
export type ActionResult = { ok: true } | { ok: false; message: string }

/*
 * Over HTTP, below /playground:
 *   GET  /                       the page
 *   GET  /assets/…               its modules and styles
 *   GET  /shared/…               modules that it has in common with the simulation
 *   GET  /events?viewer=U…       server-sent events; each `data:` is a WorkspaceState. Without a
 *                                `viewer`, or with one that nobody is, the first person's: the
 *                                page knows nobody before it has seen a state
 *   POST /actions?viewer=U…      an Action as JSON → ActionResult
 *   POST /uploads?viewer=U…&name=card.png   raw bytes → FileInfo
 *   GET  /files/{id}             the bytes, as the page shows them
 *   …    /api/…                  Slack's Web API, /hooks/… response_urls, /upload/… external uploads,
 *                                /files-pri/… private downloads with the bot token
 */

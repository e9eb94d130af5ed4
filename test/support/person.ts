import { placedElements } from '../../src/simulator/block-kit/placed-elements.ts'
import type {
  Action,
  Container,
  Conversation,
  Message,
  Modal,
  SlackJson,
  StepRun,
} from '../../src/simulator/protocol.ts'
import type { SimulatedWorkspace } from '../../src/simulator/simulated-workspace.ts'
import { createForms, type Filling } from './forms.ts'
import { objects } from '../../src/simulator/shared/slack-json.ts'
import { texts } from './texts.ts'
import { until } from './until.ts'

/** A place in the workspace: a channel's name, `app` for direct messages with the app, or `home`. */
export type Where = string

/**
 * A person in the simulated workspace. When Slack would show an error outside of a modal (such as
 * a command that failed), the method throws an error with Slack's message.
 */
export interface PersonDriver {
  readonly id: string
  /** Sends a message or a slash command. */
  types(text: string, options: { in: Where; threadTs?: string }): Promise<void>
  /** Writes a message. @returns it */
  posts(text: string, where?: Where): Promise<Message>
  /** Types a slash command and waits for the app's next message there, or the next that contains a text. */
  asks(command: string, options?: { in?: Where; for?: string }): Promise<Message>
  /** Types a slash command that opens a modal, and waits until the modal contains a text. @returns its blocks as JSON */
  opens(command: string, text?: string): Promise<string>
  /** Waits for the app's newest message there that contains a text, in its blocks or as its plain text. */
  gets(text: string, options?: { in?: Where }): Promise<Message>
  /** Waits until the top modal contains a text. @returns its blocks as JSON */
  seesModal(text?: string): Promise<string>
  /** Waits until Slack shows errors at the inputs of the top modal. @returns them by block_id */
  seesErrors(): Promise<Record<string, string>>
  /** Waits until the Home tab contains a text. @returns its blocks as JSON */
  seesHome(text?: string): Promise<string>
  /** The messages that the person sees there, oldest first. */
  sees(where: Where): Message[]
  /** The app's newest message that the person sees there. */
  newest(where: Where): Message | undefined
  modal(): Modal | undefined
  /** The current values of the top modal's inputs, by block_id. */
  form(): Record<string, unknown>
  /**
   * Fills in the top modal, by block_id, label or action_id. Options are given by text or value,
   * several options as a list, and a conversation by its name. Null clears an input.
   */
  fills(values: Record<string, Filling>): void
  /** Chooses files for a file input of the top modal. */
  uploads(input: string, ...files: { name: string; bytes: Uint8Array }[]): void
  /** Presses a button, by its text or action_id, in the top modal or in the newest message. */
  presses(button: string, options?: { in?: Where; message?: Message }): Promise<void>
  /** Selects an option of a menu outside of an input block, by its text or value. */
  chooses(option: string, options?: { of?: string; in?: Where; message?: Message }): Promise<void>
  submits(): Promise<void>
  closes(): Promise<void>
  /** Closes all modals. @throws if one is still open afterwards */
  closesAll(): Promise<void>
  runsShortcut(callbackId: string): Promise<void>
  runsMessageShortcut(callbackId: string, where: Where, message: Message): Promise<void>
  opensHome(): Promise<void>
  /** The app's Home tab, once it is published. */
  home(): SlackJson | undefined
  invitesApp(where: Where): Promise<void>
  /** Runs one of the app's steps in a workflow. @returns the run's id */
  runsStep(callbackId: string, inputs: SlackJson): Promise<string>
  /** The current state of one of the person's runs. */
  stepRun(id: string): StepRun | undefined
}

export function createPerson(workspace: SimulatedWorkspace, id: string): PersonDriver {
  const state = (): ReturnType<SimulatedWorkspace['state']> => workspace.state(id)
  const forms = createForms(workspace, id)

  async function act(action: Action): Promise<void> {
    const result = await workspace.act(id, action)
    if (!result.ok) throw new Error(result.message)
  }

  function conversation(where: Where, { conversations } = state()): Conversation {
    const found = conversations.find(({ kind, name }) =>
      where === 'app' ? kind === 'app_dm' : kind === 'channel' && name === where,
    )
    if (!found) throw new Error(`There is no conversation ${where}.`)
    return found
  }

  function sees(where: Where): Message[] {
    const now = state()
    return now.messages[conversation(where, now).id] ?? []
  }

  const modal = (): Modal | undefined => state().modals.at(-1)

  function openModal(): Modal {
    const open = modal()
    if (!open) throw new Error('No modal is open.')
    return open
  }

  /** Every container of elements there, the newest first. */
  function containers(options: { in?: Where; message?: Message }): [Container, SlackJson[]][] {
    const { in: where, message } = options
    if (where === 'home') {
      const blocks = objects(state().home?.blocks)
      return [[{ kind: 'home', values: {} }, blocks]]
    }
    if (where !== undefined) {
      const messages = message ? [message] : sees(where).toReversed()
      return messages.flatMap((one): [Container, SlackJson[]][] => {
        const container = {
          kind: 'message' as const,
          conversation: conversation(where).id,
          ts: one.ts,
        }
        return [
          [container, one.blocks ?? []],
          ...(one.attachments ?? []).map(({ blocks }, attachment): [Container, SlackJson[]] => [
            { ...container, attachment },
            objects(blocks),
          ]),
        ]
      })
    }
    const open = openModal()
    return [[{ kind: 'modal', id: open.id, values: forms.values(open) }, objects(open.view.blocks)]]
  }

  async function use(
    options: { in?: Where; message?: Message },
    description: string,
    outcome: (element: SlackJson) => SlackJson | undefined,
  ): Promise<void> {
    for (const [container, blocks] of containers(options)) {
      for (const { block, element } of placedElements(blocks)) {
        const used = block.type === 'input' ? undefined : outcome(element)
        if (!used) continue
        if (container.kind === 'modal') forms.keep(container.id, block, element, used)
        const blockId = String(block.block_id)
        await act({
          type: 'block_action',
          container:
            container.kind === 'modal'
              ? { ...container, values: forms.values(openModal()) }
              : container,
          blockId,
          element: { ...element, ...used },
        })
        return
      }
    }
    throw new Error(`There is no ${description} to use.`)
  }

  const write = (text: string, where: Where, threadTs?: string): Promise<void> =>
    act({
      type: 'write',
      conversation: conversation(where).id,
      text,
      ...(threadTs !== undefined && { threadTs }),
    })

  const fromApp = (where: Where): Message[] =>
    sees(where).filter(({ author }) => author.kind === 'app')

  /** Waits for the text of what is shown. Undefined if nothing is shown yet. */
  async function shows(what: string, text: string, shown: () => unknown): Promise<string> {
    const found = (): string | undefined => {
      const blocks = shown()
      const json = blocks === undefined ? undefined : JSON.stringify(blocks)
      return json?.includes(text) ? json : undefined
    }
    return until(workspace, id, found, `“${text}” in ${what}`)
  }

  const seesModal = (text = ''): Promise<string> =>
    shows('a modal', text, () => modal()?.view.blocks)

  return {
    id,
    types: (text, { in: where, threadTs }) => write(text, where, threadTs),
    async posts(text, where = 'general') {
      const seen = sees(where).length
      await write(text, where)
      return until(workspace, id, () => sees(where)[seen])
    },
    async asks(command, { in: where = 'general', for: text = '' } = {}) {
      const seen = new Set(fromApp(where).map(({ ts }) => ts))
      await write(command, where)
      const isAnswer = (one: Message): boolean => !seen.has(one.ts) && contains(one, text)
      return until(workspace, id, () => fromApp(where).find(isAnswer), `“${text}” in an answer`)
    },
    gets: (text, { in: where = 'general' } = {}) => {
      const found = (): Message | undefined =>
        fromApp(where).findLast((message) => contains(message, text))
      return until(workspace, id, found, `“${text}” in a message`)
    },
    async opens(command, text = '') {
      await write(command, 'general')
      return seesModal(text)
    },
    seesModal,
    seesErrors() {
      const errors = (): Record<string, string> | undefined => modal()?.errors
      return until(workspace, id, () => Object.keys(errors() ?? {}).length > 0 && errors())
    },
    seesHome: (text = '') => shows('the Home tab', text, () => state().home?.blocks),
    sees,
    newest: (where) => fromApp(where).at(-1),
    modal,
    form: () => forms.shown(openModal()),
    fills: (values) => forms.fill(openModal(), values),
    uploads(input, ...files) {
      const uploaded = files.map(({ name, bytes }) => workspace.upload(id, name, bytes))
      forms.attach(openModal(), input, uploaded)
    },
    presses: (button, options = {}) =>
      use(options, `button “${button}”`, (element) =>
        element.type === 'button' && [textOf(element), element.action_id].includes(button)
          ? {}
          : undefined,
      ),
    chooses: (option, { of, ...options } = {}) =>
      use(options, `option “${option}”`, (element) =>
        of === undefined || element.action_id === of ? forms.choice(element, option) : undefined,
      ),
    submits: () => {
      const open = openModal()
      return act({ type: 'submit_modal', id: open.id, values: forms.values(open) })
    },
    closes: () => act({ type: 'close_modal', id: openModal().id }),
    async closesAll() {
      for (const { id } of state().modals.toReversed()) await act({ type: 'close_modal', id })
      if (modal()) throw new Error('A modal is still open.')
    },
    runsShortcut: (callbackId) => act({ type: 'global_shortcut', callbackId }),
    runsMessageShortcut: (callbackId, where, { ts }) =>
      act({ type: 'message_shortcut', callbackId, conversation: conversation(where).id, ts }),
    opensHome: () => act({ type: 'open_home' }),
    home: () => state().home,
    invitesApp: (where) =>
      act({ type: 'invite_app', conversation: conversation(where).id, member: true }),
    async runsStep(callbackId, inputs) {
      await act({ type: 'run_step', callbackId, inputs })
      return state().stepRuns.at(-1)?.id ?? ''
    },
    stepRun: (id) => state().stepRuns.find((run) => run.id === id),
  }
}

function contains(message: Message, text: string): boolean {
  return message.text.includes(text) || texts(message).includes(text)
}

function textOf(element: SlackJson): unknown {
  return (element.text as { text?: unknown } | undefined)?.text
}

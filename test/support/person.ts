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
import { objects, placedElements } from '../../src/simulator/shared/slack-json.ts'
import { texts } from './texts.ts'
import { until } from './until.ts'

/** A place in the workspace: a channel's name, `app` for direct messages with the app, or `home`. */
export type Where = string

/** By default, the top modal. In a conversation, by default the newest message with such an element. */
interface Place {
  in?: Where
  message?: Message
}

/**
 * A person in the simulated workspace. When Slack would show an error outside of a modal (such as
 * a command that failed), the method throws an error with Slack's message.
 */
export type PersonDriver = ReturnType<typeof createPerson>

export function createPerson(workspace: SimulatedWorkspace, id: string) {
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
  function containers(options: Place): [Container, SlackJson[]][] {
    const { in: where, message } = options
    if (where === 'home') {
      const blocks = objects(state().home?.blocks)
      return [[{ kind: 'home' }, blocks]]
    }
    if (where !== undefined) {
      const messages = message ? [message] : sees(where).toReversed()
      const { id } = conversation(where)
      return messages.map(({ ts, blocks = [] }) => [
        { kind: 'message', conversation: id, ts },
        blocks,
      ])
    }
    const open = openModal()
    return [[{ kind: 'modal', id: open.id }, objects(open.view.blocks)]]
  }

  async function use(
    options: Place,
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
          container,
          values: container.kind === 'modal' ? forms.values(openModal()) : {},
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

  /** Waits until the top modal contains a text. @returns its blocks as JSON */
  const seesModal = (text = ''): Promise<string> =>
    shows('a modal', text, () => modal()?.view.blocks)

  return {
    id,
    /** Sends a message or a slash command. */
    types: (text: string, { in: where, threadTs }: { in: Where; threadTs?: string }) =>
      write(text, where, threadTs),
    /** Writes a message. @returns it */
    async posts(text: string, where: Where = 'general'): Promise<Message> {
      const seen = sees(where).length
      await write(text, where)
      return until(workspace, id, () => sees(where)[seen])
    },
    /** Shares a file. @returns the message */
    async postsFile(name: string, bytes: Uint8Array, where: Where = 'general'): Promise<Message> {
      const seen = sees(where).length
      const { id: file } = workspace.upload(id, name, bytes)
      const { id: to } = conversation(where)
      await act({ type: 'write', conversation: to, text: '', files: [file] })
      return until(workspace, id, () => sees(where)[seen])
    },
    /** Types a slash command and waits for the app's next message there, or the next that contains a text. */
    async asks(
      command: string,
      { in: where = 'general', for: text = '' }: { in?: Where; for?: string } = {},
    ): Promise<Message> {
      const seen = new Set(fromApp(where).map(({ ts }) => ts))
      await write(command, where)
      const isAnswer = (one: Message): boolean => !seen.has(one.ts) && contains(one, text)
      return until(workspace, id, () => fromApp(where).find(isAnswer), `“${text}” in an answer`)
    },
    /** Waits for the app's newest message there that contains a text, in its blocks or as its plain text. */
    gets: (text: string, { in: where = 'general' }: { in?: Where } = {}): Promise<Message> => {
      const found = (): Message | undefined =>
        fromApp(where).findLast((message) => contains(message, text))
      return until(workspace, id, found, `“${text}” in a message`)
    },
    /** Types a slash command that opens a modal, and waits until the modal contains a text. @returns its blocks as JSON */
    async opens(command: string, text = ''): Promise<string> {
      await write(command, 'general')
      return seesModal(text)
    },
    seesModal,
    /** Waits until Slack shows errors at the inputs of the top modal. @returns them by block_id */
    seesErrors(): Promise<Record<string, string>> {
      const errors = (): Record<string, string> | undefined => modal()?.errors
      return until(workspace, id, () => Object.keys(errors() ?? {}).length > 0 && errors())
    },
    /** Waits until the Home tab contains a text. @returns its blocks as JSON */
    seesHome: (text = ''): Promise<string> =>
      shows('the Home tab', text, () => state().home?.blocks),
    sees,
    /** The app's newest message that the person sees there. */
    newest: (where: Where): Message | undefined => fromApp(where).at(-1),
    modal,
    /** The current values of the top modal's inputs, by block_id. */
    form: () => forms.shown(openModal()),
    /**
     * Fills in the top modal, by block_id, label or action_id. Options are given by text or value,
     * several options as a list, and a conversation by its name. Null clears an input.
     */
    fills: (values: Record<string, Filling>): void => forms.fill(openModal(), values),
    /** Chooses files for a file input of the top modal. */
    uploads(input: string, ...files: { name: string; bytes: Uint8Array }[]): void {
      const uploaded = files.map(({ name, bytes }) => workspace.upload(id, name, bytes))
      forms.attach(openModal(), input, uploaded)
    },
    /** Presses a button, by its text or action_id, in the top modal or in the newest message. */
    presses: (button: string, options: Place = {}): Promise<void> =>
      use(options, `button “${button}”`, (element) =>
        element.type === 'button' && [textOf(element), element.action_id].includes(button)
          ? {}
          : undefined,
      ),
    /** Selects an option of a menu outside of an input block, by its text or value. */
    chooses: (option: string, { of, ...options }: Place & { of?: string } = {}): Promise<void> =>
      use(options, `option “${option}”`, (element) =>
        of === undefined || element.action_id === of ? forms.choice(element, option) : undefined,
      ),
    async submits(): Promise<void> {
      const open = openModal()
      await act({ type: 'submit_modal', id: open.id, values: forms.values(open) })
    },
    closes: () => act({ type: 'close_modal', id: openModal().id }),
    /** Closes all modals. @throws if one is still open afterwards */
    async closesAll(): Promise<void> {
      for (const { id } of state().modals.toReversed()) await act({ type: 'close_modal', id })
      if (modal()) throw new Error('A modal is still open.')
    },
    runsShortcut: (callbackId: string) => act({ type: 'global_shortcut', callbackId }),
    runsMessageShortcut: (callbackId: string, where: Where, { ts }: Message) =>
      act({ type: 'message_shortcut', callbackId, conversation: conversation(where).id, ts }),
    opensHome: () => act({ type: 'open_home' }),
    /** The app's Home tab, once it is published. */
    home: (): SlackJson | undefined => state().home,
    invitesApp: (where: Where) =>
      act({ type: 'invite_app', conversation: conversation(where).id, member: true }),
    /** Runs one of the app's steps in a workflow. @returns the run's id */
    async runsStep(callbackId: string, inputs: SlackJson): Promise<string> {
      await act({ type: 'run_step', callbackId, inputs })
      return state().stepRuns.at(-1)?.id ?? ''
    },
    /** The current state of one of the person's runs. */
    stepRun: (id: string): StepRun | undefined => state().stepRuns.find((run) => run.id === id),
  }
}

function contains(message: Message, text: string): boolean {
  return message.text.includes(text) || texts(message).includes(text)
}

function textOf(element: SlackJson): unknown {
  return (element.text as { text?: unknown } | undefined)?.text
}

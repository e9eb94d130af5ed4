import { setImmediate as nextTurn } from 'node:timers/promises'
import type {
  AckFn,
  AllMiddlewareArgs,
  App,
  BlockAction,
  BlockElementAction,
  GlobalShortcut,
  MessageShortcut,
  SlackEventMiddlewareArgs,
  ViewResponseAction,
  ViewSubmitAction,
} from '@slack/bolt'
import { problemMessage, type TypedInput } from '../block-kit/notices.ts'
import { COMMAND } from '../ids.ts'
import {
  readCaller,
  privateTarget,
  readReplyTarget,
  type BoltRequest,
  type Caller,
  type ReplyTarget,
  type SlackPayload,
} from './caller.ts'
import { parseCommand, type Command } from './commands.ts'
import { errorTexts, explainError, isExpected } from './error-messages.ts'
import { encodeFailedCommand, fieldErrorText, GuestError, SlackInputError } from './field-errors.ts'
import type { Platform } from './platform.ts'

/** A request is already acknowledged, unless it is a submitted form. */
interface UserRequest {
  caller: Caller
  userId: string
  target: ReplyTarget
  triggerId: string
}

export interface CommandRequest extends UserRequest {
  text: string
}

export interface ActionRequest extends UserRequest {
  action: BlockElementAction
  value: string // of a button, or of the option that the user chose from a menu
  view: BlockAction['view']
  messageTs: string
}

export interface FormSubmission extends Omit<UserRequest, 'triggerId'> {
  ack: AckFn<ViewResponseAction>
  view: ViewSubmitAction['view']
}

type Listener<R> = (request: R) => Promise<void>
type EventListener<N extends string> = (
  caller: Caller,
  args: SlackEventMiddlewareArgs<N> & AllMiddlewareArgs,
) => Promise<void>

interface BoltArgs extends BoltRequest {
  ack: AckFn<never>
}

/** Registers what the features do. A request is acknowledged at once. If its listener throws, the user sees the error. */
export interface Listeners {
  /** @param typedInput returns the part of the user's text that error messages quote; by default, the whole command */
  command(
    name: Command['name'],
    listener: Listener<CommandRequest>,
    typedInput?: (text: string) => TypedInput,
  ): void
  action(actionId: string, listener: Listener<ActionRequest>): void
  globalShortcut(callbackId: string, listener: Listener<UserRequest>): void
  messageShortcut(
    callbackId: string,
    listener: Listener<UserRequest & Pick<MessageShortcut, 'message'>>,
  ): void
  /** The listener acknowledges the form itself, because only the acknowledgement can show errors next to the inputs. */
  formSubmission(callbackId: string, listener: Listener<FormSubmission>): void
  /** If the listener throws, the app's error handler logs the error, because no user waits for an answer. */
  event<N extends string>(name: N, listener: EventListener<N>): void
  workflowStep(callbackId: string, listener: EventListener<'function_executed'>): void
}

export function createListeners(app: App, { tasks, replies, logger }: Platform): Listeners {
  // Bolt offers each request to each of its listeners. So Bolt gets one listener for each kind of request, which finds
  // the feature's listener in these maps.
  const commands = new Map<
    string,
    { listener: Listener<CommandRequest>; typedInput: (text: string) => TypedInput }
  >()
  const actions = new Map<string, Listener<ActionRequest>>()
  const forms = new Map<string, Listener<FormSubmission>>()

  function userRequest(request: BoltRequest): UserRequest {
    const target = readReplyTarget(request.body)
    const { trigger_id: triggerId = '' }: SlackPayload = request.body
    return { caller: readCaller(request), target, userId: target.userId, triggerId }
  }

  async function answerError(
    { client, body }: BoltArgs,
    error: unknown,
    { typed, command }: TypedInput = {},
  ): Promise<void> {
    if (!isExpected(error)) logger.error({ err: error }, 'a listener failed')
    const issues = explainError(error)
    const canCorrect = error instanceof SlackInputError && !(error instanceof GuestError)
    const answer = problemMessage(issues.map(fieldErrorText), {
      typed,
      command: canCorrect && command ? encodeFailedCommand({ text: command, issues }) : undefined,
    })
    await replies
      .send(client, privateTarget(readReplyTarget(body)), answer)
      .catch((err: unknown) => logger.error({ err }, 'the error message could not be sent'))
  }

  function handle(args: BoltArgs, run: () => Promise<void>, typed?: TypedInput): Promise<void> {
    return tasks.track(async () => {
      try {
        await args.ack()
        await nextTurn() // Requests that have arrived meanwhile are acknowledged first.
        await run()
      } catch (error) {
        await answerError(args, error, typed)
      }
    })
  }

  app.command(COMMAND, async (args) => {
    const { name, text } = parseCommand(args.command.text)
    const command = commands.get(name)
    if (!command) throw new Error(`no listener for ${COMMAND} ${name}`)
    await handle(
      args,
      () => command.listener({ ...userRequest(args), text }),
      command.typedInput(args.command.text),
    )
  })

  app.action<BlockAction>({ type: 'block_actions' }, async (args) => {
    const { action, body } = args
    const listener = actions.get(action.action_id)
    if (!listener) return
    await handle(args, () =>
      listener({
        ...userRequest(args),
        action,
        value: actionValue(action),
        view: body.view,
        messageTs: String(body.container['message_ts']),
      }),
    )
  })

  app.view<ViewSubmitAction>({ type: 'view_submission' }, async (args) => {
    const { view } = args
    const listener = forms.get(view.callback_id)
    if (!listener) return
    await tasks.track(async () => {
      const form = { isAcknowledged: false }
      const ack: FormSubmission['ack'] = (response) => {
        form.isAcknowledged = true
        return args.ack(response)
      }
      try {
        await listener({ ...userRequest(args), ack, view })
      } catch (error) {
        if (form.isAcknowledged) return answerError(args, error)
        const blockId = view.blocks.find(({ type }) => type === 'input')?.block_id
        if (blockId === undefined) {
          await ack()
          return answerError(args, error)
        }
        // An error at an input keeps the form open with what the user typed.
        const errors = { [blockId]: errorTexts(error).join(' ') }
        await ack({ response_action: 'errors', errors })
        if (!isExpected(error)) logger.error({ err: error }, 'a form could not be read')
      }
    })
  })

  return {
    command(name, listener, typedInput = (text) => ({ typed: `${COMMAND} ${text}` })) {
      commands.set(name, { listener, typedInput })
    },
    action: (id, listener) => void actions.set(id, listener),
    formSubmission: (id, listener) => void forms.set(id, listener),

    globalShortcut(callback_id, listener) {
      app.shortcut<GlobalShortcut>({ type: 'shortcut', callback_id }, (args) =>
        handle(args, () => listener(userRequest(args))),
      )
    },

    messageShortcut(callback_id, listener) {
      app.shortcut<MessageShortcut>({ type: 'message_action', callback_id }, (args) => {
        const { message } = args.shortcut
        return handle(args, () => listener({ ...userRequest(args), message }))
      })
    },

    event(name, listener) {
      app.event(name, (args) => tasks.track(() => listener(readCaller(args), args)))
    },

    workflowStep(callbackId, listener) {
      app.function(callbackId, { autoAcknowledge: false }, (args) =>
        tasks.track(async () => {
          await args.ack()
          await listener(readCaller(args), args)
        }),
      )
    },
  }
}

function actionValue(action: BlockElementAction): string {
  if (action.type === 'button') return action.value ?? ''
  if (action.type !== 'overflow' && action.type !== 'static_select') return ''
  // A client can clear the selection, despite what the types say.
  return (action.selected_option as { value: string } | null)?.value ?? ''
}

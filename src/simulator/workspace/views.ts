import { randomBytes } from 'node:crypto'
import { newId } from './clock.ts'
import type { Modal, SlackJson, ViewValues } from '../protocol.ts'
import { objects, placedElements, withIds } from '../shared/slack-json.ts'
import { APP, TEAM } from './seeds.ts'

const MAX_STACK = 3

export interface OpenView extends Modal {
  viewerId: string
  rootId: string
  previousId: string | undefined
  hash: string
  /** The conversation in which the view was opened, for `default_to_current_conversation`. */
  conversationId: string | undefined
}

export function createViews(now: () => number) {
  const stacks = new Map<string, OpenView[]>()
  const homes = new Map<string, OpenView>()
  const stack = (viewerId: string): OpenView[] => stacks.get(viewerId) ?? []
  const newHash = (): string => `${Math.floor(now() / 1000)}.${randomBytes(4).toString('hex')}`

  function newView(
    viewerId: string,
    view: SlackJson,
    parent?: OpenView,
    conversationId = parent?.conversationId,
  ): OpenView {
    const id = newId('V')
    return {
      id,
      viewerId,
      rootId: parent?.rootId ?? id,
      previousId: parent?.id,
      conversationId,
      view: withDefaults(view, conversationId),
      hash: newHash(),
      errors: {},
      submitting: false,
    }
  }

  function update(open: OpenView, view: SlackJson): void {
    const completed = withDefaults(view, open.conversationId)
    Object.assign(open, { view: completed, hash: newHash(), errors: {}, trouble: undefined })
  }

  return {
    open(viewerId: string, view: SlackJson, conversationId?: string): OpenView {
      const opened = newView(viewerId, view, undefined, conversationId)
      stacks.set(viewerId, [opened])
      return opened
    },
    // Returns undefined if no modal is open, or three.
    push(viewerId: string, view: SlackJson): OpenView | undefined {
      const parent = stack(viewerId).at(-1)
      if (!parent || stack(viewerId).length >= MAX_STACK) return undefined
      const pushed = newView(viewerId, view, parent)
      stacks.set(viewerId, [...stack(viewerId), pushed])
      return pushed
    },
    update,
    setStatus(open: OpenView, changes: Partial<Omit<Modal, 'id' | 'view'>>): void {
      Object.assign(open, { trouble: undefined, ...changes })
    },
    // Closes the view and those above it.
    close(open: OpenView): void {
      const modals = stack(open.viewerId)
      const index = modals.indexOf(open)
      if (index >= 0) stacks.set(open.viewerId, modals.slice(0, index))
    },
    closeAll: (viewerId: string): void => void stacks.delete(viewerId),
    publish(viewerId: string, view: SlackJson): OpenView {
      const home = homes.get(viewerId) ?? newView(viewerId, view)
      update(home, view)
      homes.set(viewerId, home)
      return home
    },
    find: (id: string) =>
      [...[...stacks.values()].flat(), ...homes.values()].find((open) => open.id === id),
    modals: stack,
    home: (viewerId: string) => homes.get(viewerId),
  }
}

function withDefaults(view: SlackJson, conversationId: string | undefined): SlackJson {
  const blocks = withIds(objects(view.blocks), () => newId('', 5))
  for (const { element } of placedElements(blocks)) {
    const wantsCurrent = element.default_to_current_conversation === true
    if (wantsCurrent && conversationId) element.initial_conversation = conversationId
  }
  return { ...view, blocks }
}

export function viewPayload(open: OpenView, values: ViewValues = {}): SlackJson {
  const { view } = open
  return {
    id: open.id,
    team_id: TEAM.id,
    type: view.type,
    blocks: view.blocks,
    private_metadata: view.private_metadata ?? '',
    callback_id: view.callback_id ?? '',
    state: { values },
    hash: open.hash,
    title: view.title ?? { type: 'plain_text', text: 'View Title', emoji: true },
    clear_on_close: view.clear_on_close ?? false,
    notify_on_close: false,
    close: view.close ?? null,
    submit: view.submit ?? null,
    previous_view_id: open.previousId ?? null,
    root_view_id: open.rootId,
    app_id: APP.id,
    external_id: '', // The app uses none.
    app_installed_team_id: TEAM.id,
    bot_id: APP.botId,
  }
}

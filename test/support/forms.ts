import { placedElements } from '../../src/simulator/block-kit/placed-elements.ts'
import { elementState } from '../../src/simulator/people/input-state.ts'
import type { FileInfo, Modal, SlackJson, ViewValues } from '../../src/simulator/protocol.ts'
import { objects } from '../../src/playground/shared/json.ts'
import { keepsState, optionsOf, stillHolds } from '../../src/playground/shared/element-state.ts'
import type { SimulatedWorkspace } from '../../src/simulator/simulated-workspace.ts'

/** What goes into an input. */
export type Filling = string | readonly string[] | null

/** What a person has put into the modals that are open, as Slack's client keeps it. */
export interface Forms {
  fill(modal: Modal, values: Record<string, Filling>): void
  attach(modal: Modal, input: string, files: FileInfo[]): void
  /** Keeps what an element outside of an input has been set to. */
  keep(modalId: string, block: SlackJson, element: SlackJson, state: SlackJson): void
  /** What a menu holds once an option is chosen, by text or value; undefined where it has none. */
  choice(element: SlackJson, option: string): SlackJson | undefined
  values(modal: Modal): ViewValues
  /** The values without Slack's wrapping, by block_id. */
  shown(modal: Modal): Record<string, unknown>
}

/**
 * A value stays with its modal through every `views.update` that keeps its block_id and
 * action_id; an input that was never touched holds what the view says it begins with.
 */
export function createForms(workspace: SimulatedWorkspace, viewerId: string): Forms {
  const touched = new Map<string, ViewValues>()
  workspace.onChange(forgetWhatIsGone)

  /** As Slack's client does: what a view no longer holds is lost, also if it comes back later. */
  function forgetWhatIsGone(): void {
    const { modals } = workspace.state(viewerId)
    for (const [modalId, values] of touched) {
      const modal = modals.find(({ id }) => id === modalId)
      const kept = (modal ? elements(modal) : []).flatMap(({ block, element }) => {
        const [blockId, actionId] = [String(block.block_id), String(element.action_id)]
        const state = values[blockId]?.[actionId]
        return state ? [{ blockId, actionId, state }] : []
      })
      touched.set(
        modalId,
        kept.reduce<ViewValues>(
          (all, { blockId, actionId, state }) => ({
            ...all,
            [blockId]: { ...all[blockId], [actionId]: state },
          }),
          {},
        ),
      )
    }
  }

  function keep(modalId: string, block: SlackJson, element: SlackJson, state: SlackJson): void {
    const values = touched.get(modalId) ?? {}
    const blockId = String(block.block_id)
    values[blockId] = { ...values[blockId], [String(element.action_id)]: state }
    touched.set(modalId, values)
  }

  function input(modal: Modal, name: string): { block: SlackJson; element: SlackJson } {
    const inputs = elements(modal)
    const found =
      inputs.find(({ block }) => block.block_id === name) ??
      inputs.find(({ block }) => labelOf(block) === name) ??
      inputs.find(({ element }) => element.action_id === name)
    if (!found) {
      const known = inputs.map(({ block }) => String(labelOf(block) ?? block.block_id)).join(', ')
      throw new Error(`The form has no input “${name}”; it has: ${known}.`)
    }
    return found
  }

  function values(modal: Modal): ViewValues {
    const held: ViewValues = {}
    for (const { block, element } of elements(modal)) {
      const blockId = String(block.block_id)
      const actionId = String(element.action_id)
      const put = touched.get(modal.id)?.[blockId]?.[actionId]
      const state = put && stillHolds(element, put) ? put : begins(element)
      held[blockId] = { ...held[blockId], [actionId]: state }
    }
    return held
  }

  function filled(element: SlackJson, filling: Filling): SlackJson {
    const type = String(element.type)
    if (/_input$/.test(type)) return { type, value: filling }
    if (filling === null) return { type }
    const chosen = (Array.isArray(filling) ? filling : [filling]).map((one: string) => {
      if (type.includes('conversations') || type.includes('channels')) return conversation(one)
      return type.includes('users') ? person(one) : option(element, one)
    })
    const many = type.startsWith('multi_') || type === 'checkboxes'
    const field = SELECTED[type.replace('multi_', '')] ?? 'selected_option'
    return { type, [many ? `${field.replace(/s$/, '')}s` : field]: many ? chosen : chosen[0] }
  }

  function conversation(name: string): string {
    const { conversations } = workspace.state(viewerId)
    return conversations.find((one) => one.name === name || one.id === name)?.id ?? missing(name)
  }

  function person(name: string): string {
    const { people } = workspace.state(viewerId)
    return people.find((one) => one.name === name || one.id === name)?.id ?? missing(name)
  }

  return {
    fill(modal, fillings) {
      for (const [name, filling] of Object.entries(fillings)) {
        const { block, element } = input(modal, name)
        keep(modal.id, block, element, filled(element, filling))
      }
    },
    attach(modal, name, files) {
      const { block, element } = input(modal, name)
      const state = { type: 'file_input', files: files.map(({ id }) => ({ id })) }
      keep(modal.id, block, element, state)
    },
    keep,
    choice(element, name) {
      if (element.type !== 'overflow' && !keepsState(element)) return undefined
      const chosen = optionsOf(element).find((one) => matches(one, name))
      return chosen && { ...filled(element, name) }
    },
    values,
    shown: (modal) =>
      Object.fromEntries(
        Object.entries(values(modal)).map(([blockId, actions]) => {
          const [, held] = Object.entries(Object.values(actions)[0] ?? {}).find(
            ([key]) => key !== 'type',
          ) ?? ['', null]
          return [blockId, held]
        }),
      ),
  }
}

const SELECTED: Record<string, string> = {
  checkboxes: 'selected_option',
  conversations_select: 'selected_conversation',
  channels_select: 'selected_channel',
  users_select: 'selected_user',
  datepicker: 'selected_date',
  timepicker: 'selected_time',
}

/** Every element of a modal that keeps a value. */
function elements({ view }: Modal): { block: SlackJson; element: SlackJson }[] {
  return placedElements(objects(view.blocks)).filter(({ element }) => keepsState(element))
}

function begins(element: SlackJson): SlackJson {
  const nothing = { viewerId: '', files: { get: () => undefined }, baseUrl: '' }
  return elementState(element, undefined, nothing)
}

function option(element: SlackJson, name: string): SlackJson | string {
  if (optionsOf(element).length === 0) return name
  return optionsOf(element).find((one) => matches(one, name)) ?? missing(name)
}

function matches(one: SlackJson, name: string): boolean {
  return one.value === name || (one.text as { text?: unknown }).text === name
}

function labelOf(block: SlackJson): unknown {
  return (block.label as { text?: unknown } | undefined)?.text
}

function missing(name: string): never {
  throw new Error(`There is no “${name}” to choose.`)
}

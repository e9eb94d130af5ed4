import { placedElements } from '../../src/simulator/block-kit/placed-elements.ts'
import { elementState } from '../../src/simulator/people/input-state.ts'
import type { FileInfo, Modal, SlackJson, ViewValues } from '../../src/simulator/protocol.ts'
import {
  hasState,
  holdsMany,
  stillHolds,
  valueField,
} from '../../src/simulator/shared/element-state.ts'
import { objects } from '../../src/simulator/shared/slack-json.ts'
import type { SimulatedWorkspace } from '../../src/simulator/simulated-workspace.ts'

/** What a person puts into an input. */
export type Filling = string | readonly string[] | null

/**
 * The values that a person has put into open modals, kept as in Slack's client. A value survives every `views.update`
 * that keeps its block_id and action_id. An input that the person has not touched has the view's initial value.
 */
export function createForms(workspace: SimulatedWorkspace, viewerId: string) {
  const touched = new Map<string, ViewValues>()
  workspace.onChange(dropRemovedInputs)

  /** Like Slack's client, forgets the value of an input that is removed, even if it returns. */
  function dropRemovedInputs(): void {
    const { modals } = workspace.state(viewerId)
    for (const [modalId, values] of touched) {
      const modal = modals.find(({ id }) => id === modalId)
      const kept: ViewValues = {}
      for (const { block, element } of modal ? elementsOf(modal) : []) {
        const [blockId, actionId] = [String(block.block_id), String(element.action_id)]
        const state = values[blockId]?.[actionId]
        if (state) kept[blockId] = { ...kept[blockId], [actionId]: state }
      }
      touched.set(modalId, kept)
    }
  }

  /** Keeps the state of an element outside of an input block. */
  function keep(modalId: string, block: SlackJson, element: SlackJson, state: SlackJson): void {
    const values = touched.get(modalId) ?? {}
    const blockId = String(block.block_id)
    values[blockId] = { ...values[blockId], [String(element.action_id)]: state }
    touched.set(modalId, values)
  }

  function findInput(modal: Modal, name: string): { block: SlackJson; element: SlackJson } {
    const inputs = elementsOf(modal)
    const found =
      inputs.find(({ block }) => block.block_id === name) ??
      inputs.find(({ block }) => labelOf(block) === name) ??
      inputs.find(({ element }) => element.action_id === name)
    if (!found) {
      const names = inputs.map(({ block }) => String(labelOf(block) ?? block.block_id)).join(', ')
      throw new Error(`The form has no input “${name}”. Its inputs are: ${names}.`)
    }
    return found
  }

  function values(modal: Modal): ViewValues {
    const all: ViewValues = {}
    for (const { block, element } of elementsOf(modal)) {
      const blockId = String(block.block_id)
      const actionId = String(element.action_id)
      const kept = touched.get(modal.id)?.[blockId]?.[actionId]
      const state = kept && stillHolds(element, kept) ? kept : initialState(element)
      all[blockId] = { ...all[blockId], [actionId]: state }
    }
    return all
  }

  function filled(element: SlackJson, filling: Filling): SlackJson {
    const { type } = element
    const field = valueField(element) ?? 'selected_option' // An overflow menu has no state.
    if (filling === null || /_input$/.test(String(type))) return { type, [field]: filling }
    if (type === 'datetimepicker') return { type, [field]: Date.parse(String(filling)) / 1000 }
    const chosen = [filling]
      .flat()
      .map((one) =>
        type === 'conversations_select' ? findConversation(one) : findOption(element, one),
      )
    return { type, [field]: holdsMany(element) ? chosen : chosen[0] }
  }

  function findConversation(name: string): string {
    const { conversations } = workspace.state(viewerId)
    return conversations.find((one) => one.name === name || one.id === name)?.id ?? missing(name)
  }

  return {
    fill(modal: Modal, fillings: Record<string, Filling>): void {
      for (const [name, filling] of Object.entries(fillings)) {
        const { block, element } = findInput(modal, name)
        keep(modal.id, block, element, filled(element, filling))
      }
    },
    attach(modal: Modal, name: string, files: FileInfo[]): void {
      const { block, element } = findInput(modal, name)
      const state = { type: 'file_input', files: files.map(({ id }) => ({ id })) }
      keep(modal.id, block, element, state)
    },
    keep,
    /** The state of a menu with this option selected, by text or value; undefined without one. */
    choice(element: SlackJson, name: string): SlackJson | undefined {
      if (element.type !== 'overflow' && !hasState(element)) return undefined
      const chosen = objects(element.options).find((one) => matches(one, name))
      return chosen && { ...filled(element, name) }
    },
    values,
    /** The values without their elements' types, by block_id. */
    shown: (modal: Modal): Record<string, unknown> =>
      Object.fromEntries(
        Object.entries(values(modal)).map(([blockId, actions]) => {
          const [, value] = Object.entries(Object.values(actions)[0] ?? {}).find(
            ([key]) => key !== 'type',
          ) ?? ['', null]
          return [blockId, value]
        }),
      ),
  }
}

/** Every element of a modal that has a state. */
function elementsOf({ view }: Modal): { block: SlackJson; element: SlackJson }[] {
  return placedElements(objects(view.blocks)).filter(({ element }) => hasState(element))
}

function initialState(element: SlackJson): SlackJson {
  const noFiles = { viewerId: '', files: { get: () => undefined }, baseUrl: '' }
  return elementState(element, undefined, noFiles)
}

function findOption(element: SlackJson, name: string): SlackJson | string {
  if (objects(element.options).length === 0) return name
  return objects(element.options).find((one) => matches(one, name)) ?? missing(name)
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

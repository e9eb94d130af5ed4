import { reconcile } from '../../src/playground/page/blocks/held-values.ts'
import type { FileInfo, Modal, SlackJson, ViewValues } from '../../src/simulator/protocol.ts'
import { stateFields, withState } from '../../src/simulator/shared/element-state.ts'
import { objects, placedElements } from '../../src/simulator/shared/slack-json.ts'
import type { SimulatedWorkspace } from '../../src/simulator/simulated-workspace.ts'

/** What a person puts into an input. */
export type Filling = string | readonly string[] | null

/** The values that a person has put into open modals, kept as the playground's page keeps them. */
export function createForms(workspace: SimulatedWorkspace, viewerId: string) {
  const held = new Map<string, ViewValues>()
  // An input that an app removes loses its value, even if it returns.
  workspace.parts.changes.on('change', () => {
    for (const modal of workspace.state(viewerId).modals) held.set(modal.id, values(modal))
  })

  const values = ({ id, view }: Modal): ViewValues =>
    reconcile(objects(view.blocks), held.get(id) ?? {})

  /** Keeps the state of an element outside of an input block. */
  function keep(modalId: string, block: SlackJson, element: SlackJson, state: SlackJson): void {
    const before = held.get(modalId) ?? {}
    held.set(modalId, withState(before, String(block.block_id), element, state))
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

  function filled(element: SlackJson, filling: Filling): SlackJson {
    const { type } = element
    const field = stateFields(element)?.field ?? 'selected_option' // An overflow menu has no state.
    if (filling === null || /_input$/.test(String(type))) return { type, [field]: filling }
    if (type === 'datetimepicker') return { type, [field]: Date.parse(String(filling)) / 1000 }
    const chosen = [filling]
      .flat()
      .map((one) =>
        type === 'conversations_select' ? findConversation(one) : findOption(element, one),
      )
    return { type, [field]: stateFields(element)?.isList ? chosen : chosen[0] }
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
      if (element.type !== 'overflow' && !stateFields(element)) return undefined
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
  return placedElements(objects(view.blocks)).filter(({ element }) => stateFields(element))
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

import type { Parts } from './parts.ts'
import type { FunctionParameters } from './manifest.ts'
import type { Modal, SimulatedApp, StepParameter, WorkspaceState } from './protocol.ts'
import { APP, PEOPLE } from './workspace/seeds.ts'
import type { OpenView } from './workspace/views.ts'

/** Everything that a person sees. */
export function workspaceState(parts: Parts, viewerId: string): WorkspaceState {
  const conversations = parts.conversations.of(viewerId)
  const home = parts.views.home(viewerId)
  return {
    app: simulatedApp(parts),
    people: [...PEOPLE],
    viewer: viewerId,
    conversations: conversations.map((one) => ({ ...one })),
    messages: Object.fromEntries(
      conversations.map(({ id }) => [id, parts.messages.visible(id, viewerId)]),
    ),
    ...(home && { home: home.view }),
    modals: parts.views.modals(viewerId).map(modal),
    files: parts.files.infos(),
    stepRuns: parts.stepRuns.of(viewerId),
    refusals: parts.refusals.list(),
  }
}

function simulatedApp({ manifest }: Parts): SimulatedApp {
  const { display_information, features } = manifest
  const shortcuts = (type: 'global' | 'message'): SimulatedApp['globalShortcuts'] =>
    features.shortcuts
      .filter((one) => one.type === type)
      .map(({ name, callback_id, description }) => ({
        name,
        callbackId: callback_id,
        description,
      }))
  return {
    name: display_information.name,
    botUserId: APP.userId,
    color: display_information.background_color,
    commands: features.slash_commands.map(({ command, description, usage_hint }) => ({
      command,
      description,
      usageHint: usage_hint,
    })),
    globalShortcuts: shortcuts('global'),
    messageShortcuts: shortcuts('message'),
    steps: Object.entries(manifest.functions).map(([callbackId, step]) => ({
      callbackId,
      title: step.title,
      description: step.description,
      inputs: stepParameters(step.input_parameters),
      outputs: stepParameters(step.output_parameters),
    })),
    home: features.app_home.home_tab_enabled,
  }
}

function modal({ id, view, errors, submitting, trouble }: OpenView): Modal {
  return { id, view, errors, submitting, ...(trouble !== undefined && { trouble }) }
}

function stepParameters({ properties, required }: FunctionParameters): StepParameter[] {
  return Object.entries(properties).map(([name, parameter]) => ({
    name,
    ...parameter,
    required: required.includes(name),
  }))
}

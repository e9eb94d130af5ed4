import { ALL_OFFERS } from '../support/offers-document.ts'
import { expect, test } from 'vitest'
import { FIELD_LABELS } from '../../src/slack/block-kit/fields.ts'
import { DEFAULT_COMMAND } from '../../src/config/command.ts'
import {
  EVENTS,
  GLOBAL_SHORTCUT,
  IMPORT_SHORTCUT,
  MESSAGE_SHORTCUT,
  STEP_OUTPUTS,
  WORKFLOW_STEP,
} from '../../src/slack/ids.ts'
import { helpMessage, helpTopics } from '../../src/slack/shorten/help.ts'
import { STEP_INPUTS } from '../../src/slack/shorten/workflow-step.ts'
import { projectManifest } from '../support/workspace.ts'

interface Parameters {
  properties: Record<string, { type: string; title: string }>
  required: string[]
}

const manifest = projectManifest() as {
  features: {
    slash_commands: { command: string; should_escape: boolean }[]
    shortcuts: { type: string; callback_id: string; name: string }[]
  }
  functions: Record<
    string,
    { title: string; input_parameters: Parameters; output_parameters: Parameters }
  >
  settings: { event_subscriptions: { bot_events: string[] } }
}

test('names in the manifest the command and the shortcuts that the app answers, and no others', () => {
  const { slash_commands: commands, shortcuts } = manifest.features
  expect(commands.map(({ command }) => command)).toEqual([DEFAULT_COMMAND])
  expect(shortcuts.map(({ type, callback_id }) => [type, callback_id])).toEqual([
    ['global', GLOBAL_SHORTCUT],
    ['message', MESSAGE_SHORTCUT],
    ['message', IMPORT_SHORTCUT],
  ])
})

test('names the shortcuts and the workflow step in the help as Slack shows them', () => {
  const text = JSON.stringify([helpMessage(ALL_OFFERS), helpTopics(ALL_OFFERS)])
  for (const { name } of manifest.features.shortcuts) expect(text).toContain(`*${name}*`)
  expect(manifest.functions[WORKFLOW_STEP]?.title).toBe(
    manifest.features.shortcuts.find(({ type }) => type === 'global')?.name,
  )
})

test('asks Slack not to escape the text of commands', () => {
  expect(manifest.features.slash_commands[0]?.should_escape).toBe(false)
})

test('subscribes in the manifest to the events that the app answers, and no others', () => {
  expect(manifest.settings.event_subscriptions.bot_events).toEqual(Object.values(EVENTS))
})

test('names in the manifest the workflow step, its inputs and its outputs, and no others', () => {
  expect(Object.keys(manifest.functions)).toEqual([WORKFLOW_STEP])
  const { input_parameters: inputs, output_parameters: outputs } =
    manifest.functions[WORKFLOW_STEP] ?? {}
  expect(Object.keys(inputs?.properties ?? {})).toEqual(STEP_INPUTS)
  expect(inputs?.required).toEqual(['destination_url'])
  expect(Object.keys(outputs?.properties ?? {})).toEqual(Object.values(STEP_OUTPUTS))
  expect(outputs?.required).toEqual([STEP_OUTPUTS.shortUrl])
})

test('gives the inputs of the step the labels that error messages use', () => {
  const { properties = {} } = manifest.functions[WORKFLOW_STEP]?.input_parameters ?? {}
  expect(STEP_INPUTS.map((name) => properties[name]?.title)).toEqual(
    STEP_INPUTS.map((name) => FIELD_LABELS[name]),
  )
})

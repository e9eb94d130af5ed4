import { expect, test } from 'vitest'
import { readManifest } from '../../src/manifest.ts'
import { COMMAND, EVENTS, GLOBAL_SHORTCUT, MESSAGE_SHORTCUT } from '../../src/slack/ids.ts'

const manifest = readManifest() as {
  features: {
    slash_commands: { command: string; should_escape: boolean }[]
    shortcuts: { type: string; callback_id: string }[]
  }
  settings: { event_subscriptions: { bot_events: string[] } }
}

test('the manifest names the command and the shortcuts that the app answers, and no others', () => {
  const { slash_commands: commands, shortcuts } = manifest.features
  expect(commands.map(({ command }) => command)).toEqual([COMMAND])
  expect(shortcuts.map(({ type, callback_id }) => [type, callback_id])).toEqual([
    ['global', GLOBAL_SHORTCUT],
    ['message', MESSAGE_SHORTCUT],
  ])
})

test('links in a command arrive as they were typed', () => {
  expect(manifest.features.slash_commands[0]?.should_escape).toBe(false)
})

test('the manifest subscribes to the events that the app answers, and no others', () => {
  expect(manifest.settings.event_subscriptions.bot_events).toEqual(Object.values(EVENTS))
})

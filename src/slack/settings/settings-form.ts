import type { InputBlock, ModalView } from '@slack/types'
import type { LinkService } from '../../port/link-service.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import type { Field } from '../block-kit/fields.ts'
import { textInput } from '../block-kit/inputs.ts'
import { LIMITS } from '../block-kit/limits.ts'
import type { LinkPlatform } from '../links/links.ts'
import { inputValue, type FormValues } from '../platform/form-values.ts'
import type { ClientFor } from '../platform/slack-client.ts'

export interface SettingsPlatform extends LinkPlatform {
  workspaces: Workspaces
  linkClient: (apiKey: string) => LinkService
  serviceUrl: string
  serviceKind?: ForeignService | undefined
  clientFor: ClientFor
}

export interface ForeignService {
  label: string
  keyHint: string
}

/** A form of the settings: builds its view, and saves what an admin entered. It changes only its part of them. */
export interface SettingsForm {
  /** @param key the view's `private_metadata`. It identifies the item that the form edits, such as a template */
  build: (platform: SettingsPlatform, workspace: Workspace, key?: string) => Promise<ModalView>
  /** @returns mrkdwn to show, or undefined to close the form */
  save(
    platform: SettingsPlatform,
    subject: { workspace: Workspace; key: string },
    values: FormValues,
    userId: string,
  ): Promise<string | undefined>
}

export function fitsInput(items: readonly string[]): boolean {
  return items.join('\n').length <= LIMITS.inputText
}

/** Added to the hint of a list that is too long for Slack's input. Version 1.0.0 allowed such lists. */
const TOO_LONG =
  ' The saved list is too long for this form, so its input is empty. What you enter replaces the list.'

export function linesInput(
  field: Field,
  items: readonly string[],
  { placeholder, hint }: { placeholder: string; hint: string },
): InputBlock {
  return textInput(field, items.join('\n'), {
    placeholder,
    hint: fitsInput(items) ? hint : hint + TOO_LONG,
    multiline: true,
  })
}

export interface Line {
  number: number
  text: string
}

export function typedLines(values: FormValues, field: Field): Line[] {
  return (inputValue(values, field)?.value ?? '')
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '')
}

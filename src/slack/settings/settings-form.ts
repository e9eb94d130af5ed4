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

export interface FormSubject {
  workspace: Workspace
  /** Identifies the item, for example a template (`templateKey`). It is the view's `private_metadata`. */
  key: string
}

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

/** Each form changes its own part of the settings and nothing else. */
export interface SettingsForm {
  build(platform: SettingsPlatform, subject: FormSubject): Promise<ModalView>
  /** @returns mrkdwn to show, or undefined to just close the form. @throws SlackInputError with each issue at its field */
  save(
    platform: SettingsPlatform,
    subject: FormSubject,
    values: FormValues,
    userId: string,
  ): Promise<string | undefined>
}

export function fitsInput(items: readonly string[]): boolean {
  return items.join('\n').length <= LIMITS.inputText
}

/** The input stays empty if the list doesn't fit. */
export function linesInput(
  field: Field,
  items: readonly string[],
  more: { placeholder: string; hint: string },
): InputBlock {
  return textInput(field, items.join('\n'), { ...more, multiline: true })
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

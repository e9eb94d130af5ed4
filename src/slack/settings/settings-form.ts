import type { InputBlock, ModalView } from '@slack/types'
import type { LinkService } from '../../port/link-service.ts'
import { isOrganization, type Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import type { Field } from '../block-kit/fields.ts'
import { textInput } from '../block-kit/inputs.ts'
import { LIMITS } from '../block-kit/elements.ts'
import { noticeModal } from '../block-kit/notices.ts'
import type { LinkPlatform } from '../links/links.ts'
import { isAdmin, type Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { inputValue, type FormValues } from '../platform/form-values.ts'
import type { ActionRequest } from '../platform/listeners.ts'
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

/** A form saves only its part of the settings. */
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

export type OpenRequest = Pick<ActionRequest, 'caller' | 'userId' | 'triggerId'>

/** Shows a view to admins only. The modal opens before Slack says who is an admin, because a trigger expires in 3 s. */
export async function openForAdmins(
  platform: SettingsPlatform,
  { caller, userId, triggerId }: OpenRequest,
  title: string,
  build: SettingsForm['build'],
): Promise<void> {
  await platform.views.openThenBuild(caller, { triggerId, title }, async (show) =>
    show(
      (await isAdmin(caller, userId))
        ? await build(platform, caller.workspace)
        : noticeModal(title, `${adminsOnly(caller)} Ask one of them.`),
    ),
  )
}

/** Every submitted form calls this, because the user might no longer be an admin. */
export async function requireAdmin(caller: Caller, userId: string): Promise<void> {
  if (await isAdmin(caller, userId)) return
  throw new SlackInputError(`${adminsOnly(caller)} Nothing was changed. Ask one of them.`)
}

function adminsOnly({ workspace }: Caller): string {
  const place = isOrganization(workspace.id) ? 'organization' : 'workspace'
  return `Only admins and owners of this ${place} can do this.`
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

export function typedLines(values: FormValues, field: Field) {
  return (inputValue(values, field)?.value ?? '')
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '')
}

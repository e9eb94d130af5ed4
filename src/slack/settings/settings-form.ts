import type { ModalView } from '@slack/types'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { FormValues } from '../platform/form-values.ts'

/** What a form is about: a workspace, and one of several items if there are several. */
export interface FormSubject {
  workspace: Workspace
  /** Identifies the item, for example a template (`templateKey`). It is the view's `private_metadata`. */
  key: string
}

/** One form of the settings. It changes its own part of them and nothing else. */
export interface SettingsForm {
  /** Builds the form with the current settings. */
  build(subject: FormSubject): Promise<ModalView>
  /**
   * Saves what the user typed.
   *
   * @returns mrkdwn to show, if closing the form doesn't say enough
   * @throws SlackInputError with each issue at its field
   */
  save(subject: FormSubject, values: FormValues, userId: string): Promise<string | undefined>
  /** Builds the form with what the user typed and, at its top, what went wrong. */
  rebuild(subject: FormSubject, values: FormValues, notice: readonly string[]): Promise<ModalView>
}

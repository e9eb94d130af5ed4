import type { ModalView } from '@slack/types'
import type { Workspace } from '../../workspaces/workspaces.ts'
import type { FormValues } from '../input/form-values.ts'

/** What a form is about: the workspace, and which of several (`templateKey`) where there are. */
export interface Subject {
  workspace: Workspace
  /** The view's `private_metadata`. */
  key: string
}

/** One form of the settings: it changes its own part of them and nothing else. */
export interface SettingsForm {
  /** The form as things stand now. */
  draw(subject: Subject): Promise<ModalView>
  /**
   * Keeps what was typed.
   *
   * @returns what should be told, mrkdwn, where the form's closing doesn't say enough
   * @throws SlackInputError with each fault at its field
   */
  save(subject: Subject, values: FormValues, userId: string): Promise<string | undefined>
  /** The form with what was typed and, at its top, why it is here again. */
  redraw(subject: Subject, values: FormValues, notice: readonly string[]): Promise<ModalView>
}

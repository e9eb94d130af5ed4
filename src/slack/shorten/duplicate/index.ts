import { decodeLink } from '../../block-kit/shown-link.ts'
import { ACTIONS, VIEWS } from '../../ids.ts'
import type { Listeners } from '../../platform/listeners.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ShortenForms } from '../form.ts'
import type { Shortener } from '../shortener.ts'
import { duplicateAdvice, type Duplicates } from './duplicates.ts'

/** What users do about a destination that already has a link: use that link, or change something. */
export function registerDuplicates(
  listeners: Listeners,
  { views }: Platform,
  {
    shortener,
    forms,
    duplicates,
  }: { shortener: Shortener; forms: ShortenForms; duplicates: Duplicates },
): void {
  // In a message. The link replaces the message, so that the button can't be pressed twice.
  listeners.action(ACTIONS.useDuplicate, ({ caller, target, value }) =>
    shortener.deliver(caller, { ...target, replacesOriginal: true }, decodeLink(value)),
  )

  // In the modal that replaced a form.
  listeners.formSubmission(VIEWS.duplicate, async ({ ack, caller, view }) => {
    const { link, target } = duplicates.read(caller, view)
    await ack()
    await shortener.deliver(caller, target, link)
  })

  listeners.action(ACTIONS.changeForm, async ({ caller, view }) => {
    if (!view) return
    const { form, link, viewKey } = duplicates.read(caller, view)
    const message = duplicateAdvice(link.shortlink_url)
    const issue = { field: 'destination_url' as const, message }
    // Another external_id, so that a picture that arrives late does not overwrite the form.
    const formView = {
      ...(await forms.build(caller, form, [], [issue])),
      external_id: `${viewKey}:form`,
    }
    await views.update(caller, { view_id: view.id }, formView)
  })
}

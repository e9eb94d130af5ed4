import { VIEWS } from '../ids.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Listeners } from '../platform/listeners.ts'
import { submitShareForm } from './share-link.ts'

export function registerShare(listeners: Listeners, platform: LinkPlatform): void {
  listeners.formSubmission(VIEWS.share, (submission) => submitShareForm(platform, submission))
}

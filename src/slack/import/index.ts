import type { Imports } from '../../workspaces/imports.ts'
import { noticeModal } from '../block-kit/notices.ts'
import { ACTIONS, IMPORT_SHORTCUT, VIEWS } from '../ids.ts'
import type { ShortenPlatform } from '../links/links.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { Listeners } from '../platform/listeners.ts'
import type { ClientFor } from '../platform/slack-client.ts'
import type { DownloadFile, UploadedFile } from '../platform/slack-files.ts'
import { openLinkForm } from '../shorten/open-form.ts'
import { buildImportForm, submitImportForm, submitImportPreview } from './import-form.ts'
import { createImportRuns, type ImportRuns } from './run-imports.ts'

export function registerImport(
  listeners: Listeners,
  shortenPlatform: ShortenPlatform,
  options: { imports: Imports; downloadFile: DownloadFile; clientFor: ClientFor },
): ImportRuns {
  const { imports, downloadFile, clientFor } = options
  const runs = createImportRuns(shortenPlatform, { store: imports, clientFor })
  const platform = { ...shortenPlatform, imports, downloadFile, runs }

  listeners.command('import', ({ caller, triggerId }) =>
    openLinkForm(platform, caller, triggerId, () => buildImportForm(platform, caller, {})),
  )
  listeners.messageShortcut(IMPORT_SHORTCUT, ({ caller, target, triggerId, message }) =>
    openLinkForm(platform, caller, triggerId, async () => {
      const file = csvIn(message)
      const { channelId: channel, threadTs } = target
      const place = channel && threadTs ? { channel, threadTs } : undefined
      if (file) return buildImportForm(platform, caller, { file, place })
      const text = 'That message has no CSV or TSV file. Choose a message that has one.'
      return noticeModal('Import links', text)
    }),
  )
  listeners.formSubmission(VIEWS.importFile, (form) => submitImportForm(platform, form))
  listeners.formSubmission(VIEWS.importPreview, (form) => submitImportPreview(platform, form))
  listeners.action(ACTIONS.stopImport, async ({ caller, userId, value }) => {
    const createdBy = await imports.createdBy(caller.workspace.id, value)
    if (createdBy === undefined) throw new SlackInputError('This import has already ended.')
    if (createdBy !== userId && !(await platform.permissions.isAdmin(caller))) {
      throw new SlackInputError('Only admins and the person who started this import can stop it.')
    }
    await imports.stop(caller.workspace.id, value)
    runs.start(value)
  })
  return runs
}

function csvIn(message: Record<string, unknown>): UploadedFile | undefined {
  const files = Array.isArray(message['files']) ? (message['files'] as unknown[]) : []
  return files.flatMap((file): UploadedFile[] => {
    const { id, name = 'links.csv', file_access: access } = file as Partial<Record<string, unknown>>
    // Slack says nothing more about files of other companies until it is asked.
    const isCsv = access === 'check_file_info' || /\.(?:csv|tsv|txt)$/i.test(String(name))
    return isCsv && typeof id === 'string' ? [{ id, name: String(name) }] : []
  })[0]
}

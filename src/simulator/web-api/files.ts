import { z } from 'zod'
import type { StoredFile } from '../workspace/files.ts'
import { filePayload } from '../app/payloads.ts'
import type { Parts } from '../parts.ts'
import { APP } from '../workspace/seeds.ts'
import { MAX_UPLOAD_BYTES } from '../shared/element-state.ts'
import { json, method, SlackRefusal } from './method.ts'

const announced = z.object({
  filename: z.string().min(1).max(255),
  length: z.coerce.number().int().min(1),
  alt_text: z.string().max(1000).optional(),
})

/** The app shares no files in channels, and the page would show none. */
const completed = z.object({
  files: json(z.array(z.object({ id: z.string(), title: z.string().max(255).optional() })).min(1)),
  channel_id: z.undefined('the simulator shares no files in channels').optional(),
})

export const fileMethods = {
  'files.getUploadURLExternal': method(
    'files:write',
    announced,
    ({ files, baseUrl }, { filename, length }) => {
      if (length > MAX_UPLOAD_BYTES) throw new SlackRefusal('file_upload_size_restricted')
      const { id } = files.announce(filename, length, APP.userId)
      return { file_id: id, upload_url: `${baseUrl()}/upload/v1/${id}` }
    },
  ),

  'files.completeUploadExternal': method('files:write', completed, (parts, { files }) => {
    const uploads = files.map(({ id, title }) => ({ file: uploaded(parts, id), title }))
    for (const { file, title } of uploads) parts.files.complete(file, title)
    return { files: uploads.map(({ file: { id, title } }) => ({ id, title })) }
  }),

  'files.info': method('files:read', z.object({ file: z.string() }), (parts, { file: id }) => {
    const file = parts.files.get(id)
    if (!file?.complete) throw new SlackRefusal('file_not_found')
    return { file: filePayload(file, parts.baseUrl()), comments: [] }
  }),
}

/** Finds one of the app's uploads that has arrived but is not complete yet. */
function uploaded({ files }: Parts, id: string): StoredFile {
  const file = files.get(id)
  if (!file?.bytes || file.complete || file.userId !== APP.userId)
    throw new SlackRefusal('file_not_found')
  return file
}

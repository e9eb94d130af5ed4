import { z } from 'zod'
import { filePayload, type StoredFile } from '../workspace/files.ts'
import type { Parts } from '../parts.ts'
import { APP } from '../workspace/seeds.ts'
import { MAX_UPLOAD_BYTES } from '../shared/element-state.ts'
import { SlackRefusal } from '../workspace/refusals.ts'
import { json, method, ownChannel } from './method.ts'

const announceArgs = z.object({
  filename: z.string().min(1).max(255),
  length: z.coerce.number().int().min(1),
  alt_text: z.string().max(1000).optional(),
})

const completeArgs = z.object({
  files: json(z.array(z.object({ id: z.string(), title: z.string().max(255).optional() })).min(1)),
  channel_id: z.string().optional(),
  thread_ts: z.string().optional(),
  initial_comment: z.string().optional(),
})

export const fileMethods = {
  'files.getUploadURLExternal': method('files:write', announceArgs, (parts, args) => {
    const { filename, length } = args
    if (length > MAX_UPLOAD_BYTES) throw new SlackRefusal('file_upload_size_restricted')
    const { id } = parts.files.announce(filename, length, APP.userId)
    return { file_id: id, upload_url: `${parts.baseUrl()}/upload/v1/${id}` }
  }),

  'files.completeUploadExternal': method('files:write', completeArgs, (parts, args) => {
    const { channel_id: channelId, files } = args
    const uploads = files.map(({ id, title }) => ({ file: findUpload(parts, id), title }))
    // Unlike chat.postMessage, this method accepts no ID of a person as the channel.
    const channel = channelId === undefined ? undefined : ownChannel(parts, channelId)
    for (const { file, title = file.name } of uploads) {
      Object.assign(file, { title, complete: true })
    }
    if (channel) {
      const { thread_ts: threadTs, initial_comment: text = '' } = args
      if (threadTs !== undefined && !parts.messages.find(channel.id, threadTs)) {
        throw new SlackRefusal('invalid_arguments', ['invalid thread_ts'])
      }
      parts.messages.add(channel.id, {
        threadTs,
        author: { kind: 'app' },
        text,
        files: uploads.map(({ file }) => file.id),
      })
    }
    return { files: uploads.map(({ file: { id, title } }) => ({ id, title })) }
  }),

  'files.info': method('files:read', z.object({ file: z.string() }), (parts, { file: id }) => {
    const file = parts.files.get(id)
    if (!file?.complete) throw new SlackRefusal('file_not_found')
    return { file: filePayload(file, parts.baseUrl()), comments: [] }
  }),
}

function findUpload({ files }: Parts, id: string): StoredFile {
  const file = files.get(id)
  if (!file?.bytes || file.complete || file.user !== APP.userId) {
    throw new SlackRefusal('file_not_found')
  }
  return file
}

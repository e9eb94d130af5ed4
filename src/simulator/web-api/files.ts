import { z } from 'zod'
import type { StoredFile } from '../workspace/files.ts'
import { filePayload } from '../app/payloads.ts'
import type { Parts } from '../parts.ts'
import { APP } from '../workspace/seeds.ts'
import { MAX_UPLOAD_BYTES } from '../shared/element-state.ts'
import { assertThread, writable } from './chat.ts'
import { json, method, SlackRefusal, type Method } from './method.ts'

const completed = json(
  z.array(z.object({ id: z.string(), title: z.string().max(255).optional() })).min(1),
)

export const fileMethods: Record<string, Method> = {
  'files.getUploadURLExternal': method(
    z.object({
      filename: z.string().min(1).max(255),
      length: z.coerce.number().int().min(1),
      alt_text: z.string().max(1000).optional(),
    }),
    ({ files, baseUrl }, { filename, length }) => {
      if (length > MAX_UPLOAD_BYTES) throw new SlackRefusal('file_upload_size_restricted')
      const { id } = files.announce(filename, length, APP.userId)
      return { file_id: id, upload_url: `${baseUrl()}/upload/v1/${id}` }
    },
    'files:write',
  ),

  'files.completeUploadExternal': method(
    z.object({
      files: completed,
      channel_id: z.string().optional(),
      thread_ts: z.string().optional(),
      initial_comment: z.string().optional(),
    }),
    (parts, args) => {
      const uploads = args.files.map(({ id, title }) => ({ file: uploaded(parts, id), title }))
      if (args.channel_id?.startsWith('U')) throw new SlackRefusal('invalid_channel')
      const channel = args.channel_id === undefined ? undefined : writable(parts, args.channel_id)
      if (channel) assertThread(parts.messages, channel.id, args.thread_ts)
      for (const { file, title } of uploads) parts.files.complete(file, title)
      if (channel) {
        parts.messages.add(channel.id, {
          ts: parts.clock.ts(),
          ...(args.thread_ts !== undefined && { threadTs: args.thread_ts }),
          author: { kind: 'app' },
          text: args.initial_comment ?? '',
          files: uploads.map(({ file }) => file.id),
          ephemeral: false,
          edited: false,
        })
      }
      return { files: uploads.map(({ file: { id, title } }) => ({ id, title })) }
    },
    'files:write',
  ),

  'files.info': method(
    z.object({ file: z.string() }),
    (parts, { file }) => ({
      file: filePayload(known(parts, file), parts.baseUrl()),
      comments: [],
    }),
    'files:read',
  ),
}

function known({ files }: Parts, id: string): StoredFile {
  const file = files.get(id)
  if (!file?.complete) throw new SlackRefusal('file_not_found')
  return file
}

/** Finds one of the app's uploads that has arrived but is not complete yet. */
function uploaded({ files }: Parts, id: string): StoredFile {
  const file = files.get(id)
  if (!file?.bytes || file.complete || file.userId !== APP.userId)
    throw new SlackRefusal('file_not_found')
  return file
}

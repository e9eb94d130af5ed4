import type { StoredFile } from '../workspace/files.ts'
import type { Conversation, Message, SlackJson } from '../protocol.ts'
import { APP, TEAM } from '../workspace/seeds.ts'

export function channelPayload({ id, kind, name }: Conversation): SlackJson {
  return { id, name: kind === 'app_dm' ? 'directmessage' : name }
}

export function messagePayload(message: Message): SlackJson {
  return {
    type: 'message',
    ...(message.author.kind === 'app'
      ? { user: APP.userId, bot_id: APP.botId, app_id: APP.id }
      : { user: message.author.id }),
    ts: message.ts,
    team: TEAM.id,
    text: message.text,
    ...(message.blocks && { blocks: message.blocks }),
    ...(message.attachments && { attachments: message.attachments }),
    ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
    ...(message.edited && { edited: { user: APP.userId, ts: message.ts } }),
  }
}

export function filePayload(file: StoredFile, baseUrl: string): SlackJson {
  const { bytes: _, complete: __, ...about } = file
  const { id, name } = file
  const path = `${baseUrl}/files-pri/${TEAM.id}-${id}`
  return {
    ...about,
    user_team: TEAM.id,
    mode: 'hosted',
    is_external: false,
    url_private: `${path}/${encodeURIComponent(name)}`,
    url_private_download: `${path}/download/${encodeURIComponent(name)}`,
    permalink: `${baseUrl}/files/${id}`,
  }
}

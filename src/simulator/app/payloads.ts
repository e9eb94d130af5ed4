import type { StoredFile } from '../workspace/files.ts'
import type { StoredMessage } from '../workspace/messages.ts'
import type { Conversation, SlackJson } from '../protocol.ts'
import { APP, TEAM } from '../workspace/seeds.ts'

export function channelPayload({ id, kind, name }: Conversation): SlackJson {
  return { id, name: kind === 'app_dm' ? 'directmessage' : name }
}

export function messagePayload(message: StoredMessage): SlackJson {
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

/** A file as Slack sends it to the app, in an input's value and in `files.info`. */
export function filePayload(file: StoredFile, baseUrl: string): SlackJson {
  const path = `${baseUrl}/files-pri/${TEAM.id}-${file.id}`
  const name = encodeURIComponent(file.name)
  const created = Math.floor(file.created / 1000)
  return {
    id: file.id,
    created,
    timestamp: created,
    name: file.name,
    title: file.title,
    mimetype: file.mimetype,
    filetype: file.filetype,
    pretty_type: file.filetype.toUpperCase(),
    user: file.userId,
    user_team: TEAM.id,
    editable: false,
    size: file.size,
    mode: 'hosted',
    is_external: false,
    external_type: '',
    is_public: false,
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    url_private: `${path}/${name}`,
    url_private_download: `${path}/download/${name}`,
    permalink: `${baseUrl}/files/${file.id}`,
    file_access: 'visible',
    has_rich_preview: false,
  }
}

import { z } from 'zod'
import { linksOn, toMrkdwn } from '../workspace/messages.ts'
import { showAck } from '../app/app-messages.ts'
import type { ActionOf, ActionResult, Conversation, Message } from '../protocol.ts'
import { APP, channelPayload, PEOPLE, TEAM } from '../workspace/seeds.ts'
import { json } from '../web-api/method.ts'
import { rejected, type Actor } from './interactions.ts'

const MAX_CHARACTERS = 12_000

export async function write(
  actor: Actor,
  { conversation: conversationId, text, files = [], threadTs }: ActionOf<'write'>,
): Promise<ActionResult> {
  const { viewerId, conversations, manifest, messages } = actor
  const conversation = conversations.findFor(viewerId, conversationId)
  if (!conversation) return rejected('This conversation does not exist.')
  const written = text.trim()
  if (written === '' && files.length === 0) return rejected('The message is empty.')
  if (files.some((file) => actor.files.get(file)?.user !== viewerId)) {
    return rejected('This file does not exist.')
  }
  if (written.length > MAX_CHARACTERS) {
    return rejected(`A message can have at most ${MAX_CHARACTERS} characters.`)
  }
  if (conversation.kind === 'app_dm') {
    return rejected('Sending messages to this app has been turned off.')
  }
  const invitedName = /^\/invite\s+@?(\S.*)$/i.exec(written)?.[1]?.toLowerCase()
  if (invitedName === manifest.display_information.name.toLowerCase()) {
    conversations.setAppMember(conversationId, true)
    return { ok: true }
  }
  if (written.startsWith('/')) return runCommand(actor, conversation, written, threadTs)
  if (threadTs !== undefined && !messages.find(conversationId, threadTs)) {
    return rejected('This thread no longer exists.')
  }
  const message = messages.add(conversationId, {
    threadTs,
    author: { kind: 'person', id: viewerId },
    text: toMrkdwn(written),
    ...(files.length > 0 && { files }),
  })
  sendLinkShared(actor, conversation, message)
  return { ok: true }
}

function sendLinkShared(
  { manifest, grants, events, viewerId }: Actor,
  conversation: Conversation,
  { text, ts, threadTs }: Message,
): void {
  const links = linksOn(manifest.features.unfurl_domains, text)
  const mayRead = grants.latest()?.scopes.has('links:read') === true
  if (links.length === 0 || !mayRead) return
  events.send({
    type: 'link_shared',
    channel: conversation.id,
    is_bot_user_member: conversation.appIsMember,
    user: viewerId,
    message_ts: ts,
    ...(threadTs !== undefined && { thread_ts: threadTs }),
    source: 'conversations_history',
    links,
    event_ts: ts,
  })
}

async function runCommand(
  actor: Actor,
  conversation: Conversation,
  written: string,
  threadTs: string | undefined,
): Promise<ActionResult> {
  const { manifest, app, images, triggers, responseUrls, viewerId } = actor
  const [, command = '', text = ''] = /^(\S+)\s*([^]*)/.exec(written) ?? []
  if (!manifest.features.slash_commands.some((defined) => defined.command === command)) {
    return rejected(`${command} is not a valid command.`)
  }
  if (threadTs !== undefined) return rejected(`${command} is not supported in threads. Sorry!`)
  const conversationId = conversation.id
  const target = { conversationId, userId: viewerId }
  const ack = await app.sendCommand({
    token: app.verificationToken,
    team_id: TEAM.id,
    team_domain: TEAM.domain,
    channel_id: conversationId,
    channel_name: String(channelPayload(conversation).name),
    user_id: viewerId,
    user_name: PEOPLE.find(({ id }) => id === viewerId)?.name ?? '',
    command,
    text,
    api_app_id: APP.id,
    is_enterprise_install: 'false',
    response_url: responseUrls.issue(target),
    trigger_id: triggers.issue({ viewerId, conversationId }),
  })
  if (ack.kind !== 'responded') {
    const error = ack.kind === 'timeout' ? 'operation_timeout' : 'dispatch_failed'
    return rejected(`${command} failed with the error "${error}"`)
  }
  if (ack.body.trim() !== '') {
    await images.loadIn(ack.body)
    const isJson = ack.contentType.startsWith('application/json')
    showAck(actor, target, isJson ? json(z.unknown()).parse(ack.body) : { text: ack.body })
  }
  return { ok: true }
}

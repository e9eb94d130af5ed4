import type { KnownBlock, SectionBlock } from '@slack/types'
import { FIELD_SPECS } from '../../contract/link-fields.ts'
import type { FieldGroup } from '../../contract/field-spec.ts'
import { SPECIFICATION, type Capabilities } from '../../port/capabilities.ts'
import { actions, button, present, section } from '../block-kit/elements.ts'
import type { MessageContent } from '../block-kit/messages.ts'
import { cut, escape } from '../block-kit/mrkdwn.ts'
import { readOnlyModal } from '../block-kit/notices.ts'
import { ACTIONS, COMMAND } from '../ids.ts'
import type { LinkPlatform } from '../links/links.ts'
import { closestWord, SUBCOMMANDS } from '../platform/commands.ts'
import type { ActionRequest, CommandRequest } from '../platform/listeners.ts'
import { offeredFields } from './create-request.ts'
import { DRAFT_FIELDS } from './draft.ts'

interface HelpTopic {
  id: string
  title: string
  blocks: KnownBlock[]
}

export async function sendHelp(
  { linkService, replies }: LinkPlatform,
  { caller, target }: CommandRequest,
  pageLinks: readonly KnownBlock[],
  unknown?: string,
) {
  const capabilities = await linkService.capabilities(caller.workspace).catch(() => SPECIFICATION)
  await replies.send(caller.client, target, helpMessage(capabilities, pageLinks, unknown))
}

export async function openHelpTopic(
  { linkService, views }: LinkPlatform,
  { action, caller, triggerId }: ActionRequest,
) {
  const capabilities = await linkService.capabilities(caller.workspace).catch(() => SPECIFICATION)
  const topic = helpTopics(capabilities).find(({ id }) => id === action.action_id)
  if (topic) await views.open(caller, triggerId, readOnlyModal(topic.title, topic.blocks))
}

export function helpMessage(
  capabilities: Capabilities,
  pageLinks: readonly KnownBlock[] = [],
  unknown?: string,
): MessageContent {
  // The subcommands and topics that the link service doesn't support.
  const { clicks, delete: canDelete, update, signIn, reports } = capabilities
  const unsupported = present<string>([
    !clicks && 'clicks',
    !canDelete && 'delete',
    !update && 'edit',
    !signIn && 'dashboard',
    !reports && 'report',
    !reports && ACTIONS.helpReports,
  ])
  const topics = helpTopics(capabilities).filter(({ id }) => !unsupported.includes(id))
  const words = SUBCOMMANDS.filter((word) => !unsupported.includes(word))
  return {
    text: `How to use ${COMMAND}`,
    blocks: present([
      unknown && section(`:warning: ${unknownWordText(unknown, words)} Here is what you can type:`),
      list(
        `\`${COMMAND}\` opens a form with everything a link can have`,
        `\`${COMMAND} https://…\` creates a short link and its QR code`,
        `\`${COMMAND} https://… spring-sale\` uses your own back-half`,
        `\`${COMMAND} list\` shows this workspace’s links, as Backhalf’s Home tab does`,
        '*Shorten this link* in a message’s menu shortens its links, also in threads, where commands don’t work',
      ),
      ...actions(topics.map(({ id, title }) => button(title, id))),
      ...pageLinks,
    ]),
  }
}

export function helpTopics(capabilities: Capabilities): HelpTopic[] {
  const hasPreview = capabilities.fields.includes('preview_title')
  return [
    {
      id: ACTIONS.helpOptions,
      title: 'Options',
      blocks: [
        section('Options follow the link, in any order:'),
        list(
          [
            ...exampleOptions(undefined, capabilities),
            '`qr=on` or `qr=off`',
            ...exampleOptions('qr', capabilities),
          ].join('  '),
          capabilities.fields.includes('expires_at') &&
            '`expires=30d` (or `12h`, `2w`, `2030-12-24`) lets the link expire',
          exampleOptions('utm', capabilities).join('  '),
          '`template=Newsletter` fills in the UTM values and tags of one of this workspace’s templates; values you type take precedence',
        ),
        section(
          `The form has all of them${hasPreview ? ', and a custom preview' : ''}. The shortcut *Shorten a link* opens it, too, anywhere in Slack. Workflow Builder has a step with the same name.`,
        ),
      ],
    },
    topic(ACTIONS.helpLists, 'Lists and clicks', [
      `\`${COMMAND} list spring\` searches titles, destinations and short URLs`,
      capabilities.tagFilter &&
        `\`${COMMAND} list tag:spring tag:"Spring sale"\` shows the links with both tags`,
      `\`${COMMAND} list mine\` shows the links you created, and \`${COMMAND} list @Ana\` those of another person`,
      capabilities.sorts.includes('clicks') &&
        `\`${COMMAND} list clicks\` shows the links with the most clicks first`,
      `After \`list\` you can also type ${capabilities.orders.length > 1 ? '`most_recent`, `created_at` or `updated_at`, `asc` or `desc`, and ' : ''}a page number. To search for one of these words, put it in quotes: \`"clicks"\``,
      capabilities.clicks &&
        `\`${COMMAND} clicks spring-sale\` shows how often a short link was clicked, on which days and from where`,
      capabilities.update && `\`${COMMAND} edit spring-sale\` opens a link’s form`,
      capabilities.delete && `\`${COMMAND} delete spring-sale\` asks whether to delete a link`,
      capabilities.signIn &&
        `\`${COMMAND} dashboard\` signs you in to the dashboard in your browser`,
      'Instead of the back-half, such as `spring-sale`, you can type the whole short link',
    ]),
    topic(ACTIONS.helpReports, 'Reports', [
      `\`${COMMAND} report\` shows this month’s clicks and the links with the most clicks`,
      `\`${COMMAND} report spring-sale last week\` shows the clicks on a campaign in another period: this or last \`week\`, \`month\` or \`year\`, or \`last 30 days\``,
      `\`${COMMAND} report tag:"Spring sale" source:newsletter medium:email\` counts only clicks on links that match all of these`,
    ]),
    topic(ACTIONS.helpAlerts, 'Alerts', [
      `\`${COMMAND} alerts\` shows your alerts. Add, edit or stop them there`,
      '*Alert me*, below a link’s clicks or below a report, opens the form for an alert about those links',
      'An alert sends you or a channel a message when links get many clicks or none, change, expire or no longer work',
    ]),
    topic(ACTIONS.helpImport, 'Many links', [
      `\`${COMMAND} import\` creates a link for each row of a CSV file, after a preview`,
      '*Import links from a file* in a message’s menu does the same with the file of that message',
      'A column with the destinations is enough. There can be others, such as `back_half`, `title`, `tags`, `utm_campaign` and `expires_at`',
    ]),
    topic(ACTIONS.helpAdmins, 'For admins', [
      `\`${COMMAND} connect\` connects this workspace to a link service`,
      `\`${COMMAND} settings\` changes domains, QR codes, UTM templates, naming rules, allowed destinations and permissions`,
      `\`${COMMAND} disconnect\` disconnects this workspace from its link service`,
    ]),
  ]
}

export const HELP_TOPIC_IDS = helpTopics(SPECIFICATION).map(({ id }) => id)

function topic(id: string, title: string, lines: (string | false)[]): HelpTopic {
  return { id, title, blocks: [list(...lines)] }
}

function list(...lines: (string | false)[]): SectionBlock {
  const items = present(lines).map((line) => `•  ${line}`)
  return section(items.join('\n'))
}

function exampleOptions(group: FieldGroup | undefined, capabilities: Capabilities): string[] {
  return DRAFT_FIELDS.filter((name) => offeredFields(capabilities).includes(name)).flatMap(
    (name) => {
      const { option, example = '', ...spec } = FIELD_SPECS[name]
      if (!option || spec.group !== group || ['flag', 'instant'].includes(spec.kind)) return []
      const value = example.includes(' ') ? `"${example}"` : example
      return [`\`${option}=${value}\``]
    },
  )
}

const INSTEAD: Partial<Record<string, () => string>> = {
  stats: () => `\`${COMMAND} clicks spring-sale\` shows the clicks of a link.`,
  tags: () =>
    `\`${COMMAND} list tag:spring\` shows the links with a tag, and \`${COMMAND} https://… tags=spring\` adds tags.`,
  qr: () =>
    `\`${COMMAND} list\` has a button _QR code_ with each link, and \`${COMMAND} https://… qr=on\` creates a link with its QR code.`,
}

const MAX_WORD_LENGTH = 200

function unknownWordText(word: string, words: readonly string[]): string {
  const similar = closestWord(word, [...words, ...Object.keys(INSTEAD)])
  const advice = similar && (INSTEAD[similar]?.() ?? `Did you mean \`${similar}\`?`)
  const text = `Backhalf doesn’t know “${escape(cut(word, MAX_WORD_LENGTH))}”.`
  return advice ? `${text} ${advice}` : text
}

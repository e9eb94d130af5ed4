import { context, type MessageContent, section } from '../block-kit/elements.ts'
import { type FieldGroup, specOf } from '../../contract/link-fields.ts'
import { cut, escape } from '../block-kit/mrkdwn.ts'
import { COMMAND } from '../ids.ts'
import { DRAFT_FIELDS } from './draft.ts'
import { closestSubcommand } from '../platform/caller.ts'

/** The answer to `/shorten help`. @param unknown a word that Backhalf did not understand */
export function helpMessage(unknown?: string): MessageContent {
  return {
    text: `How to use ${COMMAND}`,
    blocks: [
      ...(unknown ? [section(`:warning: ${notKnown(unknown)} Here is what you can type:`)] : []),
      section(
        [
          '*Shorten a link*',
          `\`${COMMAND} https://example.com/some/long/page\` makes a short link and its QR code`,
          `\`${COMMAND} https://example.com/page spring-sale\` uses your own back-half`,
          `\`${COMMAND}\` opens a form with all options, including a custom preview`,
        ].join('\n'),
      ),
      section(
        [
          '*Options*, after the link, in any order',
          [...exampleOptions(undefined), '`qr=on` or `qr=off`', ...exampleOptions('qr')].join('  '),
          exampleOptions('utm').join('  '),
          '`expires=30d` (or `12h`, `2w`, `2030-12-24`) sets when the link expires, if the link service supports that',
          '`template=Newsletter` fills in the UTM values of one of this workspace’s templates; values you type take precedence',
        ].join('\n'),
      ),
      section(
        [
          '*More*',
          `\`${COMMAND} list\` shows this workspace’s links. Backhalf’s Home tab shows them too`,
          `\`${COMMAND} list spring\` searches titles, destinations and short URLs, and \`${COMMAND} list mine\` shows the links you made in Slack`,
          'After `list` you can also type `most_recent`, `created_at` or `updated_at`, `asc` or `desc`, and a page number. To search for one of these words, put it in quotes: `"mine"`',
          `\`${COMMAND} clicks spring-sale\` shows how often a short link was clicked, on which days and from where`,
          `\`${COMMAND} edit spring-sale\` opens a link’s form, and \`${COMMAND} delete spring-sale\` asks whether to delete it. Instead of the back-half, you can type the whole short link`,
          `\`${COMMAND} dashboard\` signs you in to the dashboard in your browser`,
          `\`${COMMAND} connect\` connects this workspace to a link service (admins)`,
          `\`${COMMAND} settings\` changes domains, QR codes, UTM templates, naming rules and permissions (admins)`,
          `\`${COMMAND} disconnect\` disconnects this workspace from its link service (admins)`,
          `\`${COMMAND} help\` shows this`,
        ].join('\n'),
      ),
      context(
        'Commands don’t work in threads. There, use *Shorten this link* in a message’s menu, which shortens all links in the message, or the shortcut *Shorten a link*. Workflow Builder has a step with the same name.',
      ),
    ],
  }
}

/** The options of a group's fields with examples. What a time may look like needs a sentence. */
function exampleOptions(group: FieldGroup | undefined): string[] {
  return DRAFT_FIELDS.map(specOf).flatMap(({ option, example = '', ...spec }) =>
    option && spec.group === group && !['flag', 'instant'].includes(spec.kind)
      ? [`\`${option}=${example.includes(' ') ? `"${example}"` : example}\``]
      : [],
  )
}

function notKnown(word: string): string {
  const meant = closestSubcommand(word)
  const question = meant ? ` Did you mean \`${meant}\`?` : ''
  return `Backhalf doesn’t know “${escape(cut(word, 200))}”.${question}`
}

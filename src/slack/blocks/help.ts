import { COMMAND } from '../ids.ts'
import { context, section, type MessageContent } from '../block-kit/elements.ts'
import { cut } from './limits.ts'
import { escape } from './mrkdwn.ts'

/** What `/shorten help` says. @param unknown a word that was not understood */
export function help(unknown?: string): MessageContent {
  return {
    text: `How to use ${COMMAND}`,
    blocks: [
      ...(unknown
        ? [
            section(
              `:warning: I didn’t understand “${escape(cut(unknown, 200))}”. This is what I know:`,
            ),
          ]
        : []),
      section(
        [
          '*Shorten a link*',
          `\`${COMMAND} https://example.com/some/long/page\` makes a short link and its QR code`,
          `\`${COMMAND} https://example.com/page spring-sale\` with a back-half of your own`,
          `\`${COMMAND}\` alone opens the form, with a custom preview and everything else`,
        ].join('\n'),
      ),
      section(
        [
          '*Options*, after the link, in any order',
          '`title="Spring sale"`  `domain=go.example.com`  `color=#1F4F46`  `qr=on` or `qr=off`',
          '`utm_source=newsletter`  `utm_medium=email`  `utm_campaign=spring`  `utm_term=`  `utm_content=`  `utm_id=`',
          '`template=Newsletter` takes the UTM values of one of this workspace’s templates; those that you write win',
        ].join('\n'),
      ),
      section(
        [
          '*More*',
          `\`${COMMAND} list\` shows this workspace’s links; add \`most_recent\`, \`created_at\` or \`updated_at\`, \`asc\` or \`desc\`, and a page. Each link has a menu. My Home tab shows them too`,
          `\`${COMMAND} connect\` connects this workspace to a link service (admins)`,
          `\`${COMMAND} settings\` shows and changes domains, QR codes, UTM templates, naming rules and who may shorten (admins); \`${COMMAND} disconnect\` ends the connection`,
          `\`${COMMAND} help\` shows this`,
        ].join('\n'),
      ),
      context(
        'In a thread, commands don’t work: use *Shorten this link* in a message’s menu, which takes all links of the message, or *Shorten a link* among the shortcuts. In Workflow Builder there is a step of that name.',
      ),
    ],
  }
}

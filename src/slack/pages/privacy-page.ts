import type { ComponentChildren } from 'preact'
import { defineLayout, html, type HtmlPage, LOGO } from '../../web/pages.ts'
import { COMMAND } from '../ids.ts'
import { STORED_DATA } from './stored-data.ts'
import { contactLink, type Installed } from './support-page.ts'

/** On a phone, each row is a card without the table's head, so each cell has a label of its own. */
const LAYOUT = defineLayout({
  width: 'wide',
  css: `
h1 { margin-top: 1rem; }
tbody th { font-weight: 600; }
td { padding-inline-end: 1rem; }
@media screen and (max-width: 50rem) { td::before { content: attr(data-label) ': '; font-weight: 600; } }
`,
  embedIcon: true,
})

export function privacyPage({ operator, hasOwnService, hasMcp }: Installed): HtmlPage {
  const { name, privacyContact } = operator
  return LAYOUT.render({
    title: 'Privacy · Backhalf',
    content: [
      LOGO,
      html`<h1>Privacy</h1>`,
      html`<p class="lead">
        ${
          name === undefined
            ? 'The operator of this app has not given a name here.'
            : `${name} runs this app and is responsible for the data.`
        }
      </p>`,
      html`<p>
        Backhalf reads no conversations and no email addresses. It gets a message only if a person
        chooses <b>Shorten this link</b> or <b>Import links from a file</b> in the message’s menu.
      </p>`,
      section('What is stored', [
        dataTable('app'),
        hasOwnService && dataTable('service'),
        html`<p>
          ${[
            hasOwnService
              ? 'Nothing is stored about visitors of short links: no IP addresses and no cookies. Clicks are only counted.'
              : 'The link service that your workspace is connected to stores the links and their clicks. Its operator has a privacy policy for that.',
            'The programs’ logs can contain the IDs of people and workspaces, and what a link service says about a link that it refuses. The operator decides how long logs and backups are kept.',
          ].join(' ')}
        </p>`,
      ]),
      section('Who gets the data', [
        html`<p>
          ${`To Slack, which shows it, and to the link service, which creates the links${hasOwnService ? ' and is part of this app' : ''}.`}
          ${' '}The app has no advertising, no analytics of other companies, and no language models
          of its own.
          ${hasMcp && ' If a person asks Slackbot for short links, Slack’s AI gets the links, with their titles, tags and clicks.'}
          ${hasOwnService && ' To find dead links, the link service also asks destinations whether they work, unless the operator has turned this off. It doesn’t say who created a link.'}
        </p>`,
      ]),
      section('Encryption', [
        html`<p>
          Slack’s tokens and the workspaces’ API keys are encrypted in the database (AES-256-GCM).
          Sessions, passwords and the link service’s own keys are stored only as hashes. The app
          calls Slack over https.
        </p>`,
      ]),
      section('How to get your data, or have it deleted', [
        html`<ul>
          <li>
            <code>${COMMAND} list mine</code> shows your links.
            ${hasOwnService && ' The dashboard exports them as a file.'}
          </li>
          <li>
            An admin can erase a person with <b>Erase an ID…</b> in${' '}
            <code>${COMMAND} settings</code>. The links stay, without the person’s ID and name.
          </li>
          <li>
            When an admin uninstalls the app, everything that the app has stored about the workspace
            is deleted at once.
          </li>
          <li>
            After an uninstall, the links keep working.
            ${
              hasOwnService &&
              ' They and their history still name the people who created and changed them. Ask the operator to erase these names, too: the dashboard has a button for it.'
            }
          </li>
          <li>Backups contain deleted data until the operator deletes the backups.</li>
        </ul>`,
      ]),
      section('Questions', [
        html`<p>
          ${
            privacyContact === undefined
              ? 'The operator of this app has not named a contact for questions about personal data. Ask the admin who installed it in your workspace.'
              : html`For questions about your data, or to have it sent to you, corrected or
                deleted:${' '} ${contactLink(privacyContact)}`
          }
        </p>`,
        html`<p><a href="./">About Backhalf</a> · <a href="support">Support</a></p>`,
      ]),
    ],
  })
}

function section(title: string, content: ComponentChildren): ComponentChildren {
  return html`<section>
    <h2>${title}</h2>
    ${content}
  </section>`
}

const COLUMNS = { why: 'Why', kept: 'How long', seenBy: 'Who can see it' } as const

function dataTable(program: keyof typeof STORED_DATA): ComponentChildren {
  const columns = Object.entries(COLUMNS) as [keyof typeof COLUMNS, string][]
  return html`<table>
    <caption>
      ${program === 'app' ? 'By the app' : 'By the link service'}
    </caption>
    <thead>
      <tr>
        ${['What', ...Object.values(COLUMNS)].map((title) => html`<th scope="col">${title}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${STORED_DATA[program].map(
        (row) =>
          html`<tr>
            <th scope="row">${row.what}</th>
            ${columns.map(([name, title]) => html`<td data-label=${title}>${row[name]}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`
}

export const USAGE = `Usage: npm run setup

Connects Backhalf to Slack. It asks step by step for what is needed, checks each
answer, and writes the file .env next to package.json. Nothing is written before
the end. An existing .env is changed in place, and a copy of it is kept.
`

/** Printed if there is no one to ask, for example in a script. */
export const NO_TERMINAL = `npm run setup asks questions, so it needs a terminal. Without one, set these as
environment variables, or in a file named .env next to package.json:

  SLACK_BOT_TOKEN       one workspace: the bot token, xoxb-…
  SLACK_APP_TOKEN       Socket Mode: the app-level token, xapp-…
  SLACK_SIGNING_SECRET  HTTP, instead of SLACK_APP_TOKEN: the signing secret
  PUBLIC_URL            HTTP: Backhalf’s public https address
  SERVICE_PUBLIC_URL    the short links’ address, such as https://go.example.com

Several workspaces need SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, SLACK_STATE_SECRET
and PUBLIC_URL instead of SLACK_BOT_TOKEN. PostgreSQL needs DATABASE_URL and
ENCRYPTION_KEYS. docs/installing.md explains how to get these values, and
docs/configuration.md lists all settings. npm run doctor checks them.
`

import { deploy } from './deployment.ts'
import { startEditors } from './editors.ts'
import type { Report } from './report.ts'
import { startSlackUsers } from './slack-users.ts'
import { findLosses, startWriters } from './writers.ts'

/** Some programs only create links, some also change and delete them, and some users type commands in Slack. */
const WRITERS = 8
const EDITORS = 8
const SLACK_USERS = 8

/** How many links are acknowledged between two kills. */
const LINKS_BETWEEN = 20

/** `kill -9` of the service and the app in turn, on each database. */
export async function kill(rounds: number): Promise<Report> {
  return [...(await killOn('sqlite', rounds)), ...(await killOn('postgres', rounds))]
}

async function killOn(kind: 'sqlite' | 'postgres', rounds: number): Promise<Report> {
  const users = await startSlackUsers()
  const deployment = await deploy(kind, users.apiUrl)
  const { database, serviceUrl, appUrl, apiKey } = deployment
  const writers = startWriters(WRITERS, serviceUrl, apiKey)
  const editors = startEditors(EDITORS, serviceUrl, apiKey)
  users.start(SLACK_USERS, appUrl)
  for (let round = 0; round < rounds; round++) {
    await writers.advance(LINKS_BETWEEN)
    if (round % 2 === 0) await deployment.restart('service')
    else await deployment.restart('app')
  }
  await writers.stop()
  await editors.stop()
  await users.stop()
  const { lost, twice } = await findLosses(database, writers.acknowledged)
  const changes = await editors.figures()
  for (const one of changes.wrong.slice(0, 20)) process.stdout.write(`${one}\n`)
  const commands = users.figures()
  await deployment.stop()
  return [
    { name: `${kind}: kills`, value: rounds },
    { name: `${kind}: links that the service acknowledged`, value: writers.acknowledged.size },
    {
      name: `${kind}: answers that were lost and repeated`,
      value: writers.statuses.get('none') ?? 0,
    },
    { name: `${kind}: acknowledged links that are lost`, value: lost, allowed: 0 },
    { name: `${kind}: links that were created twice`, value: twice, allowed: 0 },
    {
      name: `${kind}: changes of links that the service acknowledged`,
      value: changes.acknowledged,
    },
    { name: `${kind}: changes whose response was lost`, value: changes.lost },
    {
      name: `${kind}: links and back-halves that are not as acknowledged`,
      value: changes.wrong.length,
      allowed: 0,
    },
    { name: `${kind}: commands that the app acknowledged`, value: commands.acknowledged },
    {
      name: `${kind}: of these, typed again because the app was killed`,
      value: commands.askedAgain,
    },
    { name: `${kind}: of these, never answered`, value: commands.unanswered, allowed: 0 },
  ]
}

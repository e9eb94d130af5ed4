import { inSection, responds, withField, type TrialRequest, type RuleTable } from '../rule.ts'
import { urlIn } from '../test-links.ts'
import { Unchecked, NoResponse, type TestedService } from '../tested-service.ts'

const MAX_REDIRECTS = 4

const SLACK_USER_AGENT = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'

export const SHORT_URL_RULES: RuleTable = {
  ...inSection('1', undefined, {
    redirect: {
      rule: 'A short URL redirects to its destination.',
      otherwise: 'Short URLs created in Slack don’t work or lead to the wrong page.',
      async check({ service, links }) {
        const shortUrl = urlIn(await links.requireLink('plain'), 'shortlink_url')
        const { response, leadsTo } = await follow(service, shortUrl)
        return leadsTo === links.destinationOf('plain') ? undefined : { response }
      },
    },
    'preview-card': {
      rule: 'A program that unfurls a short URL gets the custom preview.',
      otherwise: 'Slack shows the destination’s own preview instead of the one that users entered.',
      check: responds(
        openCreated(
          ({ links }) => links.requireLink('full', links.fields),
          'shortlink_url',
          SLACK_USER_AGENT,
        ),
        ({ text }, { links }) => text.includes(links.fields.preview_title),
      ),
    },
  }),
  'preview-image-file': {
    section: '2.1',
    rule: 'If a new link has preview_image, the picture is at that URL.',
    otherwise: 'Previews have no picture.',
    check: responds(
      openCreated(withField('preview_image'), 'preview_image'),
      ({ status, text }) => status === 200 && /^.PNG/u.test(text), // The first byte isn't UTF-8.
    ),
  },
}

/** Sends a request that creates a link, and opens a URL of that link. */
function openCreated(
  create: TrialRequest,
  urlField: 'shortlink_url' | 'preview_image',
  userAgent?: string,
): TrialRequest {
  return async (trial) =>
    (await follow(trial.service, urlIn(await create(trial), urlField), userAgent)).response
}

/** Follows redirects, but doesn't open a destination on example.com. @throws Unchecked if a URL can't be opened */
async function follow(service: TestedService, start: URL, userAgent?: string) {
  let url = start
  for (let redirects = 0; ; redirects++) {
    const response = await service.visit(url.href, userAgent).catch((error: unknown) => {
      if (!(error instanceof NoResponse)) throw error
      throw new Unchecked(`${error.sent}: ${error.message}`)
    })
    const location = response.header('location')
    const target = location === undefined ? null : URL.parse(location, url)
    if (response.status < 300 || response.status >= 400 || !target) {
      return { response, leadsTo: undefined }
    }
    const leadsAway = target.hostname === 'example.com' || !/^https?:$/.test(target.protocol)
    if (leadsAway || redirects === MAX_REDIRECTS) return { response, leadsTo: target.href }
    url = target
  }
}

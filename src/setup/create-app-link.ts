import { parse, stringify } from 'yaml'

/**
 * The address of Slack's page that creates an app, with the manifest filled in
 * (https://docs.slack.dev/app-manifests/configuring-apps-with-app-manifests, “Sharing manifests”).
 *
 * It has about 5,300 characters: without comments and with the smallest indentation. With them, it would
 * be close to 8,000, which some servers and terminals refuse.
 */
export function createAppLink(manifest: string): string {
  const short = stringify(parse(manifest), { lineWidth: 0, indent: 1, indentSeq: false })
  return `https://api.slack.com/apps?new_app=1&manifest_yaml=${encodeURIComponent(short)}`
}

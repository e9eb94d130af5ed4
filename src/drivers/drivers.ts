import type { DriverOptions } from '../client/requests.ts'
import type { LinkService, ServiceKind } from '../port/link-service.ts'

type LoadDriver = () => Promise<(options: DriverOptions) => LinkService>

export const DRIVERS: Readonly<
  Record<ServiceKind, { label: string; keyHint: string; load: LoadDriver }>
> = {
  backhalf: {
    label: 'a link service with Backhalf’s interface',
    keyHint: 'The person who runs the link service can give you a key.',
    load: async () => (await import('./backhalf/link-client.ts')).createLinkClient,
  },
  kutt: {
    label: 'Kutt',
    keyHint: 'Kutt shows your API key in its settings.',
    load: async () => (await import('./kutt.ts')).createKutt,
  },
  shlink: {
    label: 'Shlink',
    keyHint: 'The person who runs Shlink creates API keys with `shlink api-key:generate`.',
    load: async () => (await import('./shlink.ts')).createShlink,
  },
  dub: {
    label: 'Dub',
    keyHint: 'Dub shows API keys, which start with `dub_`, in the settings of your workspace.',
    load: async () => (await import('./dub.ts')).createDub,
  },
  yourls: {
    label: 'YOURLS',
    keyHint: 'YOURLS calls it “secret signature token”, and shows it under Tools.',
    load: async () => (await import('./yourls.ts')).createYourls,
  },
}

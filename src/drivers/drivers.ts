import type { DriverOptions } from '../client/requests.ts'
import type { LinkService } from '../port/link-service.ts'
import type { ServiceKind } from '../port/service-kind.ts'

/** Calls the link services of a kind. */
interface Driver {
  /** What users read. */
  label: string
  /** Imports it only if it is used. */
  load: () => Promise<(options: DriverOptions) => LinkService>
}

export const DRIVERS: Readonly<Record<ServiceKind, Driver>> = {
  backhalf: {
    label: 'Backhalf',
    load: async () => (await import('./backhalf/link-client.ts')).createLinkClient,
  },
  kutt: { label: 'Kutt', load: async () => (await import('./kutt.ts')).createKutt },
  shlink: { label: 'Shlink', load: async () => (await import('./shlink.ts')).createShlink },
  dub: { label: 'Dub', load: async () => (await import('./dub.ts')).createDub },
  yourls: { label: 'YOURLS', load: async () => (await import('./yourls.ts')).createYourls },
}

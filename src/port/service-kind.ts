/** The kinds of link services that have a driver. `backhalf` is any that follows the specification. */
export const SERVICE_KINDS = ['backhalf', 'kutt', 'shlink', 'dub', 'yourls'] as const

export type ServiceKind = (typeof SERVICE_KINDS)[number]

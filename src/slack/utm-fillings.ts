import type { Settings } from '../workspaces/settings.ts'
import { utmOf } from './input/draft.ts'
import { applyNaming, type UtmValues } from './input/naming-rules.ts'
import { templateKey } from './settings/template-key.ts'

/** UTM values that can be filled in at once. */
export interface UtmFilling {
  /** What an option of a menu sends back. */
  key: string
  label: string
  /** As the workspace's naming rules write them. */
  values: UtmValues
}

const LAST_USED = 'last_used'

/** @param recent the values that the person used last */
export function utmFillings(
  { templates, naming }: Pick<Settings, 'templates' | 'naming'>,
  recent: Settings['templates'][number]['values'] | undefined,
): UtmFilling[] {
  const lastUsed = Object.values(utmOf(recent ?? {})).join(' / ')
  return [
    ...(lastUsed
      ? [{ key: LAST_USED, label: `Last used: ${lastUsed}`, values: recent ?? {} }]
      : []),
    ...templates.map(({ name, values }) => ({ key: templateKey(name), label: name, values })),
  ].map((filling) => ({ ...filling, values: applyNaming(filling.values, naming).values }))
}

import type { Settings } from '../../../workspaces/settings.ts'
import { SETTINGS_BLOCKS } from '../../ids.ts'
import { chosenOption, type FormValues } from '../form-values.ts'

/** What the form about who may shorten holds. */
export function readMayShorten(values: FormValues): Settings['mayShorten'] {
  return chosenOption(values, SETTINGS_BLOCKS.mayShorten) === 'not_guests'
    ? 'not_guests'
    : 'everyone'
}

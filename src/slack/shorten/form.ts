import type { ModalView } from '@slack/types'
import { effectiveDestination } from '../../contract/destination.ts'
import { someFields } from '../../contract/field-spec.ts'
import { UTM_PARAMETERS } from '../../contract/link-fields.ts'
import { SPECIFICATION } from '../../port/capabilities.ts'
import type { Settings } from '../../workspaces/settings.ts'
import { applyNaming, listedValues, templateKey, filledUtm } from '../../workspaces/utm.ts'
import type { Field } from '../block-kit/fields.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { namingNotice, withFieldErrors, type FieldError } from '../platform/field-errors.ts'
import { valuesByField, type SubmittedView } from '../platform/form-values.ts'
import { defineSealedMetadata } from '../platform/sealed-metadata.ts'
import { type DraftRules, enforcedDestinations, readDraft } from './create-request.ts'
import { applyDefaults, type Draft, isFilled, templateIssues, templateValues } from './draft.ts'
import { formState, parseShortenForm, shortenModal, type FormState } from './form-view.ts'

export interface ShortenForm {
  draft: Draft
  state: FormState
}

// Their errors are shown as soon as the form opens or is built again.
const CHECKED_BEFORE_SUBMIT: ReadonlySet<Field | undefined> = new Set<Field>([
  ...UTM_PARAMETERS,
  'expires_at',
  'template',
])

export function newForm(reply: FormState['reply'], draft: Draft = {}): ShortenForm {
  return { draft, state: { reply, showUtm: false, showPreview: false } }
}

const metadata = defineSealedMetadata('shorten form', formState)

/** Builds the form for a new link or, with `state.edit`, for an existing one. Adds `issues` at their fields. */
export async function buildShortenForm(
  platform: ShortenPlatform,
  caller: Caller,
  { draft: typed, state }: ShortenForm,
  issues: readonly FieldError[] = [],
): Promise<ModalView> {
  const { clock, keyring, linkService, mostUsedTags, settings } = platform
  const { workspace, mayReadFiles } = caller
  const [{ domains }, knownCapabilities, current, usedTags] = await Promise.all([
    linkService.connection(workspace),
    linkService.knownCapabilities(workspace),
    settings.read(workspace.id),
    mostUsedTags(workspace),
  ])
  const capabilities = knownCapabilities ?? SPECIFICATION
  // A form always has a QR code's checkbox, and never a template.
  const isFromForm = typed.qr_code_enabled !== undefined && typed.template === undefined
  const draft = isFromForm ? typed : applyDefaults(typed, current)
  const { naming } = current
  const { edit } = state
  const { preview_image: image } = draft
  const presets = await readPresets(platform, caller, current)
  // There are presets if the user has used UTM parameters before, or if the workspace has templates.
  const showUtm = state.showUtm || isFilled(draft, 'utm') || presets.length > 0
  const showPreview = state.showPreview || isFilled(draft, 'preview') || edit?.hasImage === true
  // The naming rules do not change the values of an existing link.
  const shown = edit ? draft : { ...draft, ...listedValues(draft, naming) }
  const named = edit ? draft : { ...shown, ...applyNaming(shown, naming) }
  const now = clock.now()
  const { warnings, visitedUrl } = checkBeforeSubmit(named, edit !== undefined, {
    domains,
    naming,
    capabilities: knownCapabilities,
    knownIssues: templateIssues(typed, current),
    now,
    destinations: enforcedDestinations(current),
  })
  // A field with an error gets no second warning.
  const otherWarnings = warnings.filter(({ field }) =>
    issues.every((issue) => issue.field !== field),
  )
  const shownState = { ...state, showUtm, showPreview, image }
  const modal = shortenModal({
    draft: shown,
    state: shownState,
    capabilities,
    usedTags,
    now,
    canUpload: mayReadFiles,
    domains: edit?.domain ? [...domains, edit.domain] : domains,
    utm: {
      fillCount: state.filled ?? 0,
      presets,
      naming,
      visitedUrl,
      hasErrors: warnings.length > 0,
    },
    defaultColor: current.qr.color,
    metadata: metadata.seal(keyring, shownState, workspace.id),
  })
  return { ...modal, blocks: withFieldErrors(modal.blocks, [...issues, ...otherWarnings]) }
}

/** Finds what the user can correct while the form is open. An existing link gets no warnings, because it is valid. */
function checkBeforeSubmit(draft: Draft, isEdit: boolean, rules: DraftRules) {
  const { request, issues } = readDraft(draft, rules)
  const hasUrl = draft.destination_url !== undefined
  const isChecked = ({ field }: FieldError): boolean =>
    CHECKED_BEFORE_SUBMIT.has(field) || (hasUrl && field === 'destination_url')
  const warnings = isEdit ? [] : issues.filter(isChecked)
  const isValid = hasUrl && warnings.length === 0
  return {
    warnings,
    visitedUrl: isValid ? effectiveDestination(request.destination_url, draft) : undefined,
  }
}

export function readShortenForm(
  { keyring }: ShortenPlatform,
  { workspace }: Caller,
  view: SubmittedView,
): ShortenForm {
  const state = metadata.open(keyring, view.private_metadata, workspace.id)
  return { state, draft: parseShortenForm(valuesByField(view.state.values), state.image) }
}

export async function fillUtm(
  platform: ShortenPlatform,
  caller: Caller,
  form: ShortenForm,
  presetKey: string,
): Promise<ShortenForm> {
  const current = await platform.settings.read(caller.workspace.id)
  const presets = await readPresets(platform, caller, current)
  const preset = presets.find((candidate) => candidate.key === presetKey)
  if (!preset) return form
  return fillIn(form, { ...preset.values, ...applyNaming(preset.values, current.naming) })
}

/** Applies the naming rules to a form's UTM values. If they change one, returns an issue that says so. */
export async function applyNamingRules(
  { settings }: ShortenPlatform,
  { workspace }: Caller,
  form: ShortenForm,
  fields: readonly string[] = UTM_PARAMETERS,
): Promise<{ form: ShortenForm; issues: FieldError[] }> {
  const { naming } = await settings.read(workspace.id)
  const named = applyNaming(form.draft, naming)
  const values = someFields(UTM_PARAMETERS, (name) =>
    fields.includes(name) ? named[name] : undefined,
  )
  const notice = namingNotice(form.draft, values)
  if (notice === undefined) return { form, issues: [] }
  const message = `${notice} Press ${form.state.edit ? 'Save' : 'Create'} to continue.`
  return { form: fillIn(form, values), issues: [{ message }] }
}

async function readPresets(
  { recentUtm }: ShortenPlatform,
  { workspace, userId }: Caller,
  { templates }: Settings,
) {
  const recent = userId === undefined ? undefined : await recentUtm.read(workspace.id, userId)
  const lastValues = filledUtm(recent ?? {})
  const lastUsed = Object.values(lastValues).join(' / ')
  const presets = templates.map((template) => ({
    key: templateKey(template.name),
    label: template.name,
    values: templateValues(template),
  }))
  if (lastUsed) {
    presets.unshift({ key: 'last_used', label: `Last used: ${lastUsed}`, values: lastValues })
  }
  return presets
}

function fillIn({ draft, state }: ShortenForm, values: Draft): ShortenForm {
  return {
    draft: { ...draft, ...values },
    state: { ...state, filled: (state.filled ?? 0) + 1 },
  }
}

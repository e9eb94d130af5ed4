import { SPECIFICATION } from '../../port/capabilities.ts'
import type { ModalView } from '@slack/types'
import { z } from 'zod'
import { effectiveDestination } from '../../contract/destination.ts'
import { someFields, UTM_PARAMETERS } from '../../contract/link-fields.ts'
import { domainRecord } from '../../workspaces/connection.ts'
import type { RecentUtm, Settings } from '../../workspaces/settings.ts'
import {
  allowedValues,
  applyNaming,
  listedValues,
  templateKey,
  filledUtm,
  type UtmValues,
} from '../../workspaces/utm.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import {
  fieldErrorText,
  namingNotice,
  withFieldErrors,
  type FieldError,
} from '../platform/field-errors.ts'
import { valuesByField, type SubmittedView } from '../platform/form-values.ts'
import { defineSealedMetadata } from '../platform/sealed-metadata.ts'
import {
  applyDefaults,
  isFilled,
  offeredFields,
  readDraft,
  refusedDestinations,
  templateIssues,
  templateValues,
} from './create-request.ts'
import type { Draft } from './draft.ts'
import { parseShortenForm, shortenModal } from './form-view.ts'

/** The form carries this in its `private_metadata`, encrypted. */
export const formState = z.object({
  reply: z.object({
    userId: z.string(),
    responseUrl: z.string().optional(),
    channelId: z.string().optional(),
    threadTs: z.string().optional(),
    inChannel: z.boolean().optional(),
  }),
  showUtm: z.boolean(),
  showPreview: z.boolean(),
  filled: z.number().int().optional(),
  /** A back-half that looks like another link's. The form has warned about it. */
  lookalike: z.string().optional(),
  image: z.object({ id: z.string(), name: z.string() }).optional(),
  edit: z
    .object({
      name: z.string(),
      shortUrl: z.string(),
      etag: z.string().optional(),
      /** The link's values when the form was opened (`fingerprint`). */
      base: z.string(),
      hasImage: z.boolean(),
      state: z.enum(['off', 'expired']).optional(),
      /** The link's own domain, if the workspace has no record of it. */
      domain: domainRecord.optional(),
      position: z.string().optional(),
    })
    .optional(),
})

export type EditedLink = NonNullable<FormState['edit']>

export type FormState = z.infer<typeof formState>

export interface ShortenForm {
  draft: Draft
  state: FormState
}

const CHECKED_BEFORE_SUBMIT = [
  'destination_url',
  ...UTM_PARAMETERS,
  'expires_at',
  'template',
] as const

export function emptyForm(reply: FormState['reply'], destination?: string): ShortenForm {
  return {
    draft: destination ? { destination_url: destination } : {},
    state: { reply, showUtm: false, showPreview: false },
  }
}

export interface ShortenForms {
  /**
   * First completes a draft that did not come from a form with the workspace's settings.
   *
   * @param issues are shown at their fields
   */
  build(
    caller: Caller,
    form: ShortenForm,
    notice?: readonly string[],
    issues?: readonly FieldError[],
  ): Promise<ModalView>
  read(caller: Caller, view: SubmittedView): ShortenForm
  fillUtm(caller: Caller, form: ShortenForm, presetKey: string): Promise<ShortenForm>
  /** @returns also a notice of what the rules changed and what to do now, unless they changed nothing */
  applyNaming(
    caller: Caller,
    form: ShortenForm,
    only?: readonly string[],
  ): Promise<{ form: ShortenForm; notice?: string }>
}

interface UtmPreset {
  key: string
  label: string
  values: Draft
}

const metadata = defineSealedMetadata('shorten form', formState)

export function createShortenForms(
  { clock, linkService, mostUsedTags, settings, keyring }: LinkPlatform,
  recentUtm: RecentUtm,
): ShortenForms {
  async function presetsFor(
    { workspace, userId }: Caller,
    current: Settings,
  ): Promise<UtmPreset[]> {
    const recent = userId === undefined ? undefined : await recentUtm.read(workspace.id, userId)
    return utmPresets(current, filledUtm(recent ?? {}))
  }

  return {
    async build(caller, { draft: typed, state }, notice = [], issues = []) {
      const { workspace, mayReadFiles } = caller
      const [{ domains }, capabilities, current, usedTags] = await Promise.all([
        linkService.connection(workspace),
        linkService.known(workspace),
        settings.read(workspace.id),
        mostUsedTags(workspace),
      ])
      const can = capabilities ?? SPECIFICATION
      const isNew = typed.qr_code_enabled === undefined || typed.template !== undefined
      const draft = isNew ? applyDefaults(typed, current) : typed
      const { naming } = current
      const { edit } = state
      const { preview_image: image } = draft
      const presets = await presetsFor(caller, current)
      // People who have used UTM parameters, or whose workspace has templates, need no click for them.
      const showUtm = state.showUtm || isFilled(draft, 'utm') || presets.length > 0
      const showPreview = state.showPreview || isFilled(draft, 'preview') || edit?.hasImage === true
      // Values that a link already has stay as they are.
      const shown = edit ? draft : { ...draft, ...listedValues(draft, naming) }
      const named = edit ? draft : { ...shown, ...applyNaming(shown, naming) }
      const now = clock.now()
      const read = readDraft(
        { qr_code_enabled: false, ...named },
        {
          ...{ domains, naming, capabilities, found: templateIssues(typed, current), now },
          destinations: refusedDestinations(current),
        },
      )
      const isEmpty = draft.destination_url === undefined
      const early = CHECKED_BEFORE_SUBMIT.filter((name) => !isEmpty || name !== 'destination_url')
      const found = edit
        ? []
        : read.issues.filter(({ field }) => early.some((name) => name === field))
      const atFields = [
        ...issues,
        ...found.filter(({ field }) => issues.every((issue) => issue.field !== field)),
      ]
      const modal = shortenModal({
        draft: shown,
        domains: edit?.domain ? [...domains, edit.domain] : domains,
        edit,
        utm: showUtm
          ? {
              fillCount: state.filled ?? 0,
              presets,
              allowed: (name) => allowedValues(name, naming),
              visitedUrl:
                found.length === 0 && !isEmpty
                  ? effectiveDestination(read.request.destination_url, named)
                  : undefined,
              hasErrors: found.length > 0,
            }
          : undefined,
        defaultColor: current.qr.color,
        showPreview,
        offered: edit ? can.editable : offeredFields(can),
        mayDuplicate: !edit && can.usedDestination === 'findable',
        keepsAddresses: can.keepsAddresses,
        usedTags,
        now,
        canUpload: mayReadFiles,
        asksWhere: !edit && state.reply.responseUrl === undefined,
        answersInThread: state.reply.inChannel === true,
        notice: notice.filter((text) => atFields.every((issue) => fieldErrorText(issue) !== text)),
        metadata: metadata.seal(keyring, { ...state, showUtm, showPreview, image }, workspace.id),
      })
      return { ...modal, blocks: withFieldErrors(modal.blocks, atFields) }
    },

    read({ workspace }, view) {
      const state = metadata.open(keyring, view.private_metadata, workspace.id)
      return { state, draft: parseShortenForm(valuesByField(view.state.values), state.image) }
    },

    async fillUtm(caller, form, presetKey) {
      const presets = await presetsFor(caller, await settings.read(caller.workspace.id))
      const preset = presets.find((candidate) => candidate.key === presetKey)
      return preset ? fillIn(form, preset.values) : form
    },

    async applyNaming({ workspace }, form, only = UTM_PARAMETERS) {
      const { naming } = await settings.read(workspace.id)
      const values = applyNaming(form.draft, naming)
      const written = someFields(UTM_PARAMETERS, (name) =>
        only.includes(name) ? values[name] : undefined,
      )
      const notice = namingNotice(form.draft, written)
      if (notice === undefined) return { form }
      return {
        form: fillIn(form, written),
        notice: `${notice} Press ${form.state.edit ? 'Save' : 'Create'} to continue.`,
      }
    },
  }
}

function utmPresets(
  { templates, naming }: Pick<Settings, 'templates' | 'naming'>,
  recent: UtmValues,
): UtmPreset[] {
  const lastUsed = Object.values(recent).join(' / ')
  return [
    ...(lastUsed ? [{ key: 'last_used', label: `Last used: ${lastUsed}`, values: recent }] : []),
    ...templates.map((template) => ({
      key: templateKey(template.name),
      label: template.name,
      values: templateValues(template),
    })),
  ].map(({ values, ...preset }) => ({
    ...preset,
    values: { ...values, ...applyNaming(values, naming) },
  }))
}

function fillIn({ draft, state }: ShortenForm, values: Draft): ShortenForm {
  return {
    draft: { ...draft, ...values },
    state: { ...state, filled: (state.filled ?? 0) + 1 },
  }
}

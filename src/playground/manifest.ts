import { z } from 'zod'

const shortcut = z.object({
  name: z.string(),
  type: z.enum(['global', 'message']),
  callback_id: z.string(),
  description: z.string(),
})

/** What Slack reads out of an app's manifest, as far as the simulation goes. */
const manifestSchema = z.object({
  display_information: z.object({
    name: z.string(),
    background_color: z.string().default('#2c2d30'),
  }),
  features: z.object({
    app_home: z
      .object({
        home_tab_enabled: z.boolean().default(false),
        messages_tab_read_only_enabled: z.boolean().default(false),
      })
      .prefault({}),
    slash_commands: z
      .array(
        z.object({
          command: z.string().startsWith('/'),
          description: z.string(),
          usage_hint: z.string().default(''),
        }),
      )
      .default([]),
    shortcuts: z.array(shortcut).default([]),
  }),
  oauth_config: z.object({
    redirect_urls: z.array(z.url()).default([]),
    scopes: z
      .object({
        bot: z.array(z.string()).default([]),
        bot_optional: z.array(z.string()).default([]),
      })
      .refine(({ bot, bot_optional: optional }) => optional.every((one) => bot.includes(one)), {
        error: 'every optional scope must be among the bot scopes as well',
      }),
  }),
  settings: z
    .object({
      event_subscriptions: z.object({ bot_events: z.array(z.string()).default([]) }).prefault({}),
      interactivity: z.object({ is_enabled: z.boolean().default(false) }).prefault({}),
    })
    .prefault({}),
})

export type Manifest = z.output<typeof manifestSchema>

/**
 * Reads a manifest that has been parsed from YAML or JSON.
 *
 * @throws ZodError when something that the simulation needs is missing
 */
export function readManifest(manifest: unknown): Manifest {
  return manifestSchema.parse(manifest)
}

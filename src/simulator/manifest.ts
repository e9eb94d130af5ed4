import { z } from 'zod'

const functionParameters = z
  .object({
    properties: z.record(
      z.string(),
      z.object({
        type: z.string(),
        title: z.string().default(''),
        description: z.string().default(''),
        hint: z.string().default(''),
      }),
    ),
    required: z.array(z.string()).default([]),
  })
  .refine(({ properties, required }) => required.every((name) => Object.hasOwn(properties, name)), {
    error: 'every required parameter must be among the properties',
  })

const functionDefinition = z.object({
  title: z.string(),
  description: z.string(),
  input_parameters: functionParameters,
  output_parameters: functionParameters,
})

export type FunctionParameters = z.output<typeof functionParameters>
export type FunctionDefinition = z.output<typeof functionDefinition>

/** A domain as Slack's own schema of a manifest defines it. It accepts even `localhost`. */
const domain = z
  .string()
  .max(255)
  .regex(/^(?![-.])[-a-z0-9.]+[a-z0-9]$/)

/** The parts of the app's manifest that the simulator reads. If the app needs a value, no other is accepted. */
export const manifestSchema = z.object({
  display_information: z.object({ name: z.string() }),
  features: z.object({
    app_home: z.object({
      home_tab_enabled: z.literal(true),
      messages_tab_read_only_enabled: z.literal(true),
    }),
    slash_commands: z.array(
      z.object({
        command: z.string().startsWith('/'),
        description: z.string(),
        usage_hint: z.string(),
      }),
    ),
    shortcuts: z.array(
      z.object({
        name: z.string(),
        type: z.enum(['global', 'message']),
        callback_id: z.string(),
        description: z.string(),
      }),
    ),
    unfurl_domains: z.array(domain).min(1).max(5).default([]),
  }),
  functions: z.record(z.string(), functionDefinition),
  oauth_config: z.object({
    redirect_urls: z.array(z.url()).default([]),
    scopes: z
      .object({
        bot: z.array(z.string()).default([]),
        bot_optional: z.array(z.string()).default([]),
      })
      .refine(({ bot, bot_optional: optional }) => optional.every((scope) => bot.includes(scope)), {
        error: 'every optional scope must be among the bot scopes as well',
      }),
  }),
  settings: z.object({
    event_subscriptions: z.object({
      bot_events: z.array(z.string()).refine((events) => events.includes('function_executed')),
    }),
    interactivity: z.object({ is_enabled: z.literal(true) }),
    function_runtime: z.literal('remote'),
    org_deploy_enabled: z.literal(true),
  }),
})

export type Manifest = z.output<typeof manifestSchema>

import type { AllMiddlewareArgs, BlockAction, SlackActionMiddlewareArgs } from '@slack/bolt'

export type ActionArgs = SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs

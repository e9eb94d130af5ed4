import { z } from 'zod'
import { checkView, type ViewType } from '../block-kit/check.ts'
import { PEOPLE } from '../workspace/seeds.ts'
import { viewPayload } from '../workspace/views.ts'
import { SlackRefusal } from '../workspace/refusals.ts'
import { json, method } from './method.ts'

const view = json(z.unknown())
const openArgs = z.object({ trigger_id: z.string(), view })
const updateArgs = z.object({ view_id: z.string(), hash: z.string().optional(), view })
const publishArgs = z.object({ user_id: z.string(), hash: z.string().optional(), view })

/** The methods that open and change modals and Home tabs. Every token can call them, without a scope. */
export const viewMethods = {
  'views.open': method(undefined, openArgs, (parts, args) => {
    const checked = checkView(args.view, 'modal', parts.pictures)
    const { viewerId, conversationId } = parts.triggers.use(args.trigger_id)
    return { view: viewPayload(parts.views.open(viewerId, checked, conversationId)) }
  }),

  'views.push': method(undefined, openArgs, (parts, args) => {
    const checked = checkView(args.view, 'modal', parts.pictures)
    const { viewerId } = parts.triggers.use(args.trigger_id)
    const pushed = parts.views.push(viewerId, checked)
    if (!pushed) throw new SlackRefusal('push_limit_reached')
    return { view: viewPayload(pushed) }
  }),

  'views.update': method(undefined, updateArgs, (parts, { view_id, hash, view: sent }) => {
    const open = parts.views.find(view_id)
    if (!open) throw new SlackRefusal('not_found')
    if (hash !== undefined && hash !== open.hash) throw new SlackRefusal('hash_conflict')
    parts.views.update(open, checkView(sent, open.view.type as ViewType, parts.pictures))
    return { view: viewPayload(open) }
  }),

  'views.publish': method(undefined, publishArgs, (parts, { user_id, hash, view: sent }) => {
    if (PEOPLE.every(({ id }) => id !== user_id)) throw new SlackRefusal('user_not_found')
    const home = parts.views.home(user_id)
    if (hash !== undefined && home && hash !== home.hash) throw new SlackRefusal('hash_conflict')
    const checked = checkView(sent, 'home', parts.pictures)
    return { view: viewPayload(parts.views.publish(user_id, checked)) }
  }),
}

import htm from 'htm'
import { h, type VNode } from 'preact'

/**
 * Markup with one root. Components stand in it as `${h(Component, props)}`, which has their props
 * checked; values are text, never markup.
 */
export const html = htm.bind(h) as (strings: TemplateStringsArray, ...values: unknown[]) => VNode

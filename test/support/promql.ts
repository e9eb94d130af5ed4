import { parser } from '@prometheus-io/lezer-promql'

/** A condition in a selector, such as `server="app"`. */
export interface Matcher {
  label: string
  operator: string
  value: string
}

export interface Query {
  /** The series that it reads. */
  selectors: { name: string; matchers: Matcher[] }[]
  /** The labels by which it groups them; empty if it doesn't. */
  grouping: string[]
}

/**
 * Parses PromQL with the grammar of Prometheus’ own editor.
 *
 * @throws if the syntax is wrong
 */
export function parseQuery(text: string): Query {
  const query: Query = { selectors: [], grouping: [] }
  parser.parse(text).iterate({
    enter({ name, type, node }) {
      const textOf = (child: string): string => {
        const found = node.getChild(child)
        return found ? text.slice(found.from, found.to) : ''
      }
      if (type.isError) throw new Error(`wrong at character ${node.from + 1}: ${text}`)
      if (name === 'VectorSelector') {
        query.selectors.push({ name: textOf('Identifier'), matchers: [] })
      } else if (name === 'UnquotedLabelMatcher') {
        const value = textOf('StringLiteral').slice(1, -1)
        const matcher = { label: textOf('LabelName'), operator: textOf('MatchOp'), value }
        query.selectors.at(-1)?.matchers.push(matcher)
      } else if (name === 'GroupingLabels') {
        const labels = node.getChildren('LabelName').map(({ from, to }) => text.slice(from, to))
        query.grouping.push(...labels)
      }
    },
  })
  return query
}

export type Selector = {
  readonly metric: string
  readonly matchers: readonly Matcher[]
}

export type Matcher = { readonly label: string; readonly operator: string; readonly text: string }

export type Expression = {
  readonly selectors: readonly Selector[]
  /** The labels of `by (…)`, and the second argument of `label_values`. */
  readonly labels: readonly string[]
}

const GROUPING = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g
const LABEL_VALUES = /^label_values\((\w+),\s*(\w+)\)$/
const SELECTOR = /(?<![\w$"])([a-z_]\w*)\b(?!\s*\()(?:\{((?:"[^"]*"|[^}"])*)\})?/gi
const MATCHER = /^\s*(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"\s*$/
const WORDS = ['and', 'or', 'unless', 'bool']

/** Reads a PromQL expression or a dashboard variable query. Throws an Error if a matcher has an unknown form. */
export function readExpression(text: string): Expression {
  const [, metric, label] = LABEL_VALUES.exec(text) ?? []
  if (metric !== undefined && label !== undefined)
    return { selectors: [{ metric, matchers: [] }], labels: [label] }
  const labels = Array.from(text.matchAll(GROUPING), ([, list = '']) => list.split(',')).flat()
  // Durations and dashboard variables are not names.
  const bare = text.replaceAll(GROUPING, '').replaceAll(/\[[^\]]*\]/g, '')
  const selectors = Array.from(bare.matchAll(SELECTOR), ([, name = '', matchers = '']) => ({
    metric: name,
    matchers: matchersIn(matchers),
  })).filter(({ metric: name }) => !WORDS.includes(name))
  return { selectors, labels: labels.map((one) => one.trim()) }
}

function matchersIn(text: string): readonly Matcher[] {
  const parts = text.match(/\w+\s*[=!~]+\s*"[^"]*"/g) ?? []
  if (text.replaceAll(/\w+\s*[=!~]+\s*"[^"]*"|[\s,]/g, '') !== '') throw new Error(`no matchers: ${text}`)
  return parts.map((part) => {
    const [, label = '', operator = '', value = ''] = MATCHER.exec(part) ?? []
    return { label, operator, text: value }
  })
}

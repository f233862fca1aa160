import { FIGURES, type Figure } from '../figures.js'
import { isReached, type Bars, type Claim } from '../report.js'
import type { Result } from '../results.js'
import { goalOf, measuredOf, verdictOf } from './text.js'

type Results = ReadonlyMap<string, Result>
type Named = Claim & { readonly short: string }

/** A count of all claims, then a line for each group of figures, with its claims that have a short name. */
export function summaryOf(results: Results, figures: readonly Figure[] = FIGURES): string {
  const groups = [...new Set(figures.map(({ group }) => group))]
  const lines = groups
    .map((group) => {
      const members = figures.filter((one) => one.group === group)
      return { group, said: members.flatMap(({ name }) => saidBy(results.get(name))) }
    })
    .filter(({ said }) => said.length > 0)
  return [countOf(results), ...lines.map(({ group, said }) => `- **${group}**: ${said.join('; ')}`)].join(
    '\n',
  )
}

/** A higher goal is no ratio to a bare peer: it counts workers. */
const RATIO_MAX = 1.5

/**
 * Two charts: ratios to a bare peer, for which more is better; and multiples of an empty or idle process, for which less
 * is better.
 */
export function chartsOfRatios(results: Results, figures: readonly Figure[] = FIGURES): readonly Bars[] {
  const claims = figures
    .flatMap(({ name }) => named(results.get(name)))
    .filter(({ unit }) => unit === undefined)
  return [
    barsOf(claims, 'atLeast', {
      name: 'ratios',
      title: 'More is better: beside the bare peer',
      about: 'For each claim the ratio that was measured, and its goal, which is the least that is enough.',
    }),
    barsOf(claims, 'atMost', {
      name: 'multiples',
      title: 'Less is better: times the idle or the empty',
      about: 'For each claim the ratio that was measured, and its goal, which is the most that is allowed.',
    }),
  ].filter(({ bars }) => bars.length > 0)
}

function barsOf(
  claims: readonly Named[],
  side: 'atLeast' | 'atMost',
  drawing: Pick<Bars, 'name' | 'title' | 'about'>,
): Bars {
  const bars = claims.flatMap(({ short, measured, [side]: goal }) =>
    measured === null || goal === undefined || (side === 'atLeast' && goal > RATIO_MAX)
      ? []
      : [{ name: short, value: measured, goal, lessIsBetter: side === 'atMost' }],
  )
  return { kind: 'bars', ...drawing, bars }
}

function named(result: Result | undefined): readonly Named[] {
  return (result?.report.claims ?? []).flatMap((claim) =>
    claim.short === undefined ? [] : [{ ...claim, short: claim.short }],
  )
}

function saidBy(result: Result | undefined): readonly string[] {
  const headline = result?.report.headline
  return [...(headline === undefined ? [] : [headline]), ...named(result).map(saidOf)]
}

function saidOf(claim: Named): string {
  return `${claim.short} **${measuredOf(claim)}** (goal ${goalOf(claim)}: ${verdictOf(claim)})`
}

function countOf(results: Results): string {
  const claims = [...results.values()].flatMap(({ report }) => report.claims)
  const reached = claims.filter(isReached)
  return `- ${reached.length} of ${claims.length} goals are reached; each figure below has its own goals.`
}

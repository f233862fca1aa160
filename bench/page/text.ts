import { isReached, type Claim, type Report, type Value } from '../report.js'

const MOST_DIGITS = 6

/** A value for a reader: with these digits, or three significant digits; with commas from 1,000 on. */
export function numberOf(value: Value, digits = digitsOf(value)): string {
  if (value === null || Number.isNaN(value)) return '–'
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** The table of a report, as Markdown. */
export function tableOf({ columns, rows }: Pick<Report, 'columns' | 'rows'>): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const cells = (values: readonly Value[]) =>
    columns.map(({ digits }, index) => numberOf(values[index] ?? null, digits))
  return [
    line(['', ...columns.map(({ name }) => name)]),
    line(['---', ...columns.map(() => '---:')]),
    ...rows.map(({ name, values }) => line([name, ...cells(values)])),
  ].join('\n')
}

/** A claim as a list item: its name, its goal, the measured value, and whether the goal is reached. */
export function claimLine(claim: Claim): string {
  return `- ${claim.what}, ${goalOf(claim)}: **${measuredOf(claim)}** (${verdictOf(claim)})`
}

export function goalOf({ atLeast, atMost, unit }: Claim): string {
  const goal = (atLeast ?? atMost)?.toLocaleString('en') ?? ''
  return withUnit(`${atLeast === undefined ? 'at most' : 'at least'} ${goal}`, unit)
}

/** With as many digits as necessary: a missed goal is never rounded to the goal. */
export function measuredOf(claim: Claim): string {
  const { measured, digits = 2, unit, unmeasured } = claim
  if (measured === null) return unmeasured === undefined ? 'not measured' : `not measured: ${unmeasured}`
  const misleads = isReached({ ...claim, measured: Number(measured.toFixed(digits)) }) !== isReached(claim)
  return misleads && digits < MOST_DIGITS
    ? measuredOf({ ...claim, digits: digits + 1 })
    : withUnit(numberOf(measured, digits), unit)
}

export function verdictOf(claim: Claim): string {
  return isReached(claim) ? 'reached' : 'NOT reached'
}

function withUnit(text: string, unit: string | undefined): string {
  return unit === undefined ? text : `${text} ${unit}`
}

/** The number of decimals that gives three significant digits: 285, 2.85, 0.00285. */
function digitsOf(value: Value): number {
  return value === null || value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))
}

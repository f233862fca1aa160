import { isReached, thousands, type Claim, type Column, type Report, type Value } from '../report.js'

/** A value as a reader wants it: with these digits, or three that count; from 10,000 on with commas. */
function numberOf(value: Value, digits?: number): string {
  if (value === null) return '–'
  const text = digits === undefined ? significant(value) : value.toFixed(digits)
  return Math.abs(value) >= 10_000 && digits !== undefined && digits > 0 ? text : grouped(text)
}

/** The table of a report, as Markdown. */
export function tableOf({ columns, rows }: Pick<Report, 'columns' | 'rows'>): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const cells = (values: readonly Value[]) =>
    columns.map((column, index) => cell(column, values[index] ?? null))
  return [
    line(['', ...columns.map(({ name }) => name)]),
    line(['---', ...columns.map(() => '---:')]),
    ...rows.map(({ name, values }) => line([name, ...cells(values)])),
  ].join('\n')
}

/** A claim as an item of a list: what, its goal, what was measured, and whether that is enough. */
export function claimLine(claim: Claim): string {
  const verdict = claim.measured === null ? 'not measured' : isReached(claim) ? 'reached' : 'NOT reached'
  return `- ${claim.what}, ${goalOf(claim)}: **${measuredOf(claim)}** (${verdict})`
}

function goalOf({ atLeast, atMost, unit }: Claim): string {
  if (atLeast !== undefined && atMost !== undefined) return `${atLeast} to ${withUnit(String(atMost), unit)}`
  if (atLeast !== undefined) return `at least ${withUnit(grouped(String(atLeast)), unit)}`
  return `at most ${withUnit(grouped(String(atMost ?? NaN)), unit)}`
}

function measuredOf({ measured, digits = 2, unit }: Claim): string {
  return withUnit(numberOf(measured, digits), unit)
}

function cell({ digits }: Column, value: Value): string {
  return numberOf(value, digits)
}

function withUnit(text: string, unit: string | undefined): string {
  return unit === undefined ? text : `${text} ${unit}`
}

function significant(value: number): string {
  if (value === 0) return '0'
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))
  return value.toFixed(digits)
}

function grouped(text: string): string {
  const value = Number(text)
  return Number.isInteger(value) && Math.abs(value) >= 10_000 ? thousands(value) : text
}

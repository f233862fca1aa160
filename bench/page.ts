import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { barChart, escaped, type Bar } from './chart.js'
import { FIGURES, type Figure } from './figures.js'
import { isReached, TRAFFIC_COLUMNS, type Claim, type Report, type Value } from './report.js'
import { formatted, isBusy, readResults, type Result } from './results.js'

type Results = ReadonlyMap<string, Result>

const PAGE = join('docs', 'contribute', 'performance.md')
const CHARTS = join('docs', 'contribute', 'performance')
/** The text of the page before this mark is written by hand. */
const MARK = '<!-- Written by `npm run bench -- --page` from bench/results, below this line. -->'

export function resultsIn(project: string): string {
  return join(project, 'bench', 'results')
}

/** Returns every file that is written from the stored results, keyed by its path below the project's folder. */
export async function filesOfPage(project: string): Promise<ReadonlyMap<string, string>> {
  const [byHand = ''] = readFileSync(join(project, PAGE), 'utf8').split(MARK)
  const { markdown, charts } = pageOf(readResults(resultsIn(project)))
  const page = await formatted(`${byHand}${MARK}\n\n${markdown}`, join(project, PAGE))
  return new Map([[PAGE, page], ...Array.from(charts, ([name, svg]) => [join(CHARTS, name), svg] as const)])
}

/** Writes these files, and removes charts that the page no longer contains. */
export async function writePage(project: string): Promise<void> {
  const files = await filesOfPage(project)
  mkdirSync(join(project, CHARTS), { recursive: true })
  for (const file of chartsIn(project)) if (!files.has(file)) rmSync(join(project, file))
  for (const [file, text] of files) writeFileSync(join(project, file), text)
}

/** Returns the existing charts' paths below the project's folder. */
export function chartsIn(project: string): readonly string[] {
  return readdirSync(join(project, CHARTS)).map((file) => join(CHARTS, file))
}

type Page = { readonly markdown: string; readonly charts: ReadonlyMap<string, string> }

/** The generated part of the page as Markdown, and its charts, keyed by file name. */
export function pageOf(results: Results, figures: readonly Figure[] = FIGURES): Page {
  const claims = figures.flatMap(({ name }) => results.get(name)?.report.claims ?? [])
  const charts: Chart[] = [
    {
      file: 'ratios.svg',
      title: 'More is better: ratio to a minimal server',
      bars: barsOf(claims, 'atLeast'),
    },
    {
      file: 'multiples.svg',
      title: 'Less is better: multiple of an idle or empty process',
      bars: barsOf(claims, 'atMost'),
    },
  ]
  const places = [...results.values()].map(({ machine }) => machine)
  const usual = places.toSorted((a, b) => timesIn(places, b) - timesIn(places, a))[0] ?? ''
  const sections = figures.map((figure) => sectionOf(figure, results.get(figure.name), usual))
  return {
    markdown: [
      `${claims.filter(isReached).length} of ${claims.length} goals are reached.`,
      ...charts.map(pictureOf),
      usual === '' ? 'Nothing has been measured yet.' : `Machine, unless another machine is named: ${usual}.`,
      ...sections,
    ].join('\n\n'),
    charts: new Map(charts.map(({ file, title, bars }) => [file, barChart(title, bars)])),
  }
}

/** Formats one figure: heading, table, claims, date, command, and the machine unless it is the usual machine. */
export function sectionOf(figure: Figure, result: Result | undefined, usual = ''): string {
  if (!result) return `## ${figure.title}\n\nThis figure has not been measured yet.`
  const { setting, claims, notes = [] } = result.report
  const lines = [...claims.map(claimLine), ...notes.map((note) => `- ${note}`)]
  return [
    `## ${figure.title}`,
    setting,
    tableOf(result.report),
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    circumstances(result, usual),
  ].join('\n\n')
}

type Chart = { readonly file: string; readonly title: string; readonly bars: readonly Bar[] }

function pictureOf({ file, title }: Chart): string {
  return `<img src="performance/${file}" alt="${escaped(title)}">`
}

/** Claims whose minimum is higher are not ratios, and get no bar in the chart. */
const RATIO_MAX = 1.5

function barsOf(claims: readonly Claim[], side: 'atLeast' | 'atMost'): readonly Bar[] {
  return claims.flatMap(({ what, measured, unit, [side]: goal }) =>
    measured === null || unit !== undefined || goal === undefined || (side === 'atLeast' && goal > RATIO_MAX)
      ? []
      : [{ name: what, value: measured, goal, lessIsBetter: side === 'atMost' }],
  )
}

/** States the command, the date and the machine. */
function circumstances(result: Result, usual: string): string {
  const { figure, date, options, busyCores, machine } = result
  const others = isBusy(busyCores)
    ? ` The machine was BUSY: ${numberOf(busyCores, 1)} cores were busy with other work.`
    : ''
  const place = machine === usual ? '' : ` on ${machine}`
  return `Measured on ${date}${place} by \`${[figure, options].join(' ').trim()}\`.${others}`
}

function timesIn(all: readonly string[], one: string): number {
  return all.filter((other) => other === one).length
}

const MOST_DIGITS = 6

/** Formats a value for readers, with this number of digits or with three significant digits, and with commas from 1,000 on. */
export function numberOf(value: Value, digits = digitsOf(value)): string {
  if (value === null) return '–'
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

function tableOf({ columns = TRAFFIC_COLUMNS, rows }: Report): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const cells = (values: readonly Value[]) =>
    columns.map(({ digits }, index) => numberOf(values[index] ?? null, digits))
  return [
    line(['', ...columns.map(({ name }) => name)]),
    line(['---', ...columns.map(() => '---:')]),
    ...rows.map(({ name, values }) => line([name, ...cells(values)])),
  ].join('\n')
}

/** Formats a claim as a list item: its name, the measured value, the goal, and whether it is reached. */
export function claimLine(claim: Claim): string {
  const { what, atLeast, atMost, unit = '' } = claim
  const goal = `${atLeast === undefined ? 'at most' : 'at least'} ${(atLeast ?? atMost)?.toLocaleString('en') ?? ''}`
  const verdict = isReached(claim) ? 'reached' : 'MISSED'
  return `- ${what}: **${measuredOf(claim)}** (${verdict}, goal: ${`${goal} ${unit}`.trim()})`
}

/** Uses as many digits as necessary, so that a missed goal is never rounded to the goal. */
function measuredOf(claim: Claim): string {
  const { measured, digits = 2, unit = '' } = claim
  if (measured === null) return 'not measured'
  const misleads = isReached({ ...claim, measured: Number(measured.toFixed(digits)) }) !== isReached(claim)
  return misleads && digits < MOST_DIGITS
    ? measuredOf({ ...claim, digits: digits + 1 })
    : `${numberOf(measured, digits)} ${unit}`.trim()
}

/** The number of decimals that gives three significant digits: 285, 2.85, 0.00285. */
function digitsOf(value: Value): number {
  return value === null || value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))
}

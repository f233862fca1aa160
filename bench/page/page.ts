import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FIGURES, type Figure } from '../figures.js'
import { isBusy, type Machine, type Versions } from '../machine.js'
import type { Chart } from '../report.js'
import type { Result } from '../results.js'
import { filesOfChart, pictureOf } from './charts.js'
import { chartsOfRatios, summaryOf } from './summary.js'
import { claimLine, numberOf, tableOf } from './text.js'

type Results = ReadonlyMap<string, Result>

/** The folder of the charts, as the page names it. */
const CHARTS = 'performance'
const ORIGIN = `<!-- Written by \`npm run bench -- --page\` from bench/results and bench/notes: change those. -->`

/** The page as Markdown, and its charts by file name. */
export type Page = { readonly markdown: string; readonly charts: ReadonlyMap<string, string> }

/** Handwritten notes about a figure are in a file of its name in the folder `notes`. */
export function pageOf(results: Results, notes: string, figures: readonly Figure[] = FIGURES): Page {
  const overview = chartsOfRatios(results, figures)
  const common = placeOf(mostCommon(results))
  const sections = figures.flatMap((figure) => [
    sectionOf(figure, results.get(figure.name), common),
    noteIn(notes, figure.name),
  ])
  const charts = [...overview, ...[...results.values()].flatMap(({ report }) => report.charts ?? [])]
  return {
    markdown: [
      '# Performance',
      noteIn(notes, 'page/introduction'),
      ORIGIN,
      summaryOf(results, figures),
      ...overview.map(picture),
      noteIn(notes, 'page/reading'),
      '## Machine',
      common,
      ...sections,
      noteIn(notes, 'page/killed-processes'),
    ]
      .filter(isText)
      .join('\n\n'),
    charts: new Map(charts.flatMap((chart) => [...filesOfChart(chart)])),
  }
}

/** One figure: heading, table, claims, charts, date and command; and the machine unless it is the known one. */
export function sectionOf({ title }: Figure, result: Result | undefined, known?: string): string {
  return [`## ${title}`, ...(result ? measured(result, known) : ['Not measured yet.'])]
    .filter(isText)
    .join('\n\n')
}

function measured(result: Result, known: string | undefined): string[] {
  const { setting, claims, notes = [], charts = [] } = result.report
  const place = placeOf(result)
  return [
    setting,
    tableOf(result.report),
    [...claims.map(claimLine), ...notes.map((note) => `- ${note}`)].join('\n'),
    ...charts.map(picture),
    circumstances(result),
    place === known ? '' : place,
  ]
}

function isText(part: string): boolean {
  return part !== ''
}

function picture(chart: Chart): string {
  return pictureOf(chart, CHARTS)
}

/** The date and the command, so that readers do not overrate a number. */
function circumstances(result: Result): string {
  const { figure, date, quick, rounds, seconds, mongodb, busyCores, machine } = result
  const asked = [
    ...(quick ? [' --quick'] : []),
    ...(rounds === undefined ? [] : [` --rounds ${rounds}`]),
    ...(seconds === undefined ? [] : [` --seconds ${seconds}`]),
  ].join('')
  const server = mongodb === undefined ? '' : ` with MongoDB ${mongodb}`
  const others = isBusy(busyCores)
    ? ` The machine was BUSY: ${numberOf(busyCores, 1)} of ${machine.cores} cores had other work before.`
    : ''
  return `Measured on ${date} by \`npm run bench -- ${figure}${asked}\`${server}.${others}`
}

function placeOf(place: { machine: Machine; versions: Versions } | undefined): string {
  if (!place) return 'Nothing was measured yet.'
  const { processor, cores, memoryGiB, system, pinned } = place.machine
  const pinning = pinned ? 'server on core 0, load on core 1' : 'processes not kept on a core'
  const versions = Object.entries(place.versions).map(([name, version]) => `${name} ${version}`)
  return `- ${processor}, ${cores} cores, ${memoryGiB} GiB, ${system}; ${pinning}\n- ${versions.join(', ')}`
}

/** A result from the machine with most results: the other sections name their machine. */
function mostCommon(results: Results): Result | undefined {
  const all = [...results.values()]
  const alike = (one: Result) => all.filter((other) => placeOf(other) === placeOf(one)).length
  return all.toSorted((a, b) => alike(b) - alike(a))[0]
}

function noteIn(folder: string, name: string): string {
  const file = join(folder, `${name}.md`)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
}

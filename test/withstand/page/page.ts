import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatted } from '../../../bench/formatted.js'
import { mutantsTable } from './mutants-table.js'
import type { Checker } from '../checker.js'
import { CHECKERS } from '../checkers.js'
import { markdownTable } from './table.js'
import { readResults, resultsIn, type Result } from '../results.js'

const PAGE = join('docs', 'contribute', 'withstanding.md')
const ORIGIN =
  '<!-- Written by `npm run withstand -- --page` from test/withstand/results and test/withstand/notes: change those. -->'

/** Writes docs/contribute/withstanding.md from the kept results and the notes. */
export async function writePage(project: string): Promise<void> {
  writeFileSync(join(project, PAGE), await pageIn(project))
}

/** The page as it has to be. */
export async function pageIn(project: string): Promise<string> {
  const notes = join(project, 'test', 'withstand', 'notes')
  return await formatted(pageOf(CHECKERS, readResults(resultsIn(project)), notes), join(project, PAGE))
}

/** What is written about a checker stands in a file of its name in the folder `notes`. */
function pageOf(checkers: readonly Checker[], results: readonly Result[], notes: string): string {
  const parts = [
    '# Withstanding',
    noteIn(notes, 'introduction'),
    ORIGIN,
    '## The longest runs',
    tableOf(checkers, results),
    placesOf(results),
    ...checkers.flatMap((checker) => sectionOf(checker, notes)),
    noteIn(notes, 'mutation'),
    mutantsTable(),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

const COLUMNS = ['histories', 'operations', 'faults', 'violations', 'undecided', 'minutes'] as const

function tableOf(checkers: readonly Checker[], results: readonly Result[]): string {
  const rows = checkers.flatMap(({ name, stores }) =>
    stores.map((store) => {
      const result = results.find((one) => one.checker === name && one.store === store)
      const cells = COLUMNS.map((column) => result?.[column].toLocaleString('en') ?? '–')
      return [`[${name}](#${name})`, store, ...cells, result?.date ?? 'not yet']
    }),
  )
  const head = [
    '',
    'Store',
    ...COLUMNS.map((name) => name.replace(/^./, (first) => first.toUpperCase())),
    'Date',
  ]
  return markdownTable(head, rows, [2, 7])
}

/** Where the runs were: a line for each machine. */
function placesOf(results: readonly Result[]): string {
  const places = results.map(({ machine: { processor, cores, memoryGiB, system }, node }) =>
    [processor, `${cores} cores`, `${memoryGiB} GiB`, system, `Node ${node}`].join(', '),
  )
  return [...new Set(places)].map((place) => `- ${place}`).join('\n')
}

function sectionOf({ name, title, planted }: Checker, notes: string): string[] {
  const bugs = Object.values(planted).map((what) => `- ${what}`)
  return [
    `## ${name}`,
    `${title}.`,
    noteIn(notes, name),
    'It finds each of these when it is planted:',
    bugs.join('\n'),
  ]
}

function noteIn(folder: string, name: string): string {
  const file = join(folder, `${name}.md`)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
}

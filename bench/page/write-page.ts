import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readResults } from '../results.js'
import { formatted } from '../formatted.js'
import { pageOf } from './page.js'

/** Every file that is written from the kept results, by its path below the folder of the project. */
export async function filesOfPage(project: string): Promise<ReadonlyMap<string, string>> {
  const { markdown, charts } = pageOf(readResults(resultsIn(project)), join(project, 'bench', 'notes'))
  const page = join('docs', 'contribute', 'performance.md')
  return new Map([
    [page, await formatted(markdown, join(project, page))],
    ...Array.from(charts, ([file, drawn]) => [join(CHARTS, file), drawn] as const),
  ])
}

/** Writes these files, and removes charts that the page no longer shows. */
export async function writePage(project: string): Promise<void> {
  const files = await filesOfPage(project)
  mkdirSync(join(project, CHARTS), { recursive: true })
  for (const file of chartsIn(project)) if (!files.has(file)) rmSync(join(project, file))
  for (const [file, text] of files) writeFileSync(join(project, file), text)
}

/** The existing charts, by their paths below the folder of the project. */
export function chartsIn(project: string): readonly string[] {
  return readdirSync(join(project, CHARTS)).map((file) => join(CHARTS, file))
}

export function resultsIn(project: string): string {
  return join(project, 'bench', 'results')
}

const CHARTS = join('docs', 'contribute', 'performance')

import type { Wanted } from './command-line.js'
import type { Figure } from './figures.js'
import { isBusy } from './machine.js'
import { measure } from './measure.js'
import { sectionOf } from './page/page.js'
import { resultsIn, writePage } from './page/write-page.js'
import { createProgress } from './progress.js'
import { keepResult, readResults, type Result } from './results.js'
import type { Output } from './status-line.js'
import { NO_MONGODB } from './workplace/mongodb-server.js'

/** The output for results, and the output for progress messages. */
export type Outputs = { readonly results: Output; readonly messages: Output }

/**
 * Measures figure after figure. A failed figure reports its error and keeps its earlier result, and the others
 * continue. Returns the number of failures.
 */
export async function measureAll(
  { figures, leftOut, run, keep, json }: Wanted & { kind: 'measure' },
  project: string,
  { results, messages }: Outputs,
): Promise<number> {
  const kept = readResults(resultsIn(project))
  const clock = () => performance.now()
  const progress = createProgress({ figures, results: kept, quick: run.quick, output: messages, clock })
  for (const { name } of leftOut) messages.write(`${name} ${NO_MONGODB}.\n`)
  let failed = 0
  for (const [index, figure] of figures.entries()) {
    try {
      const result = await measure(figure, run, progress.of(index))
      progress.clear()
      if (isBusy(result.busyCores)) messages.write(busyLine(result))
      results.write(json ? `${JSON.stringify(result)}\n` : sectionInWords(figure, result))
      if (keep) await keepResult(resultsIn(project), result)
    } catch (error) {
      progress.clear()
      failed += 1
      messages.write(`${figure.name} FAILED: ${reasonOf(error)}\n`)
    }
  }
  if (keep) await writePage(project)
  return failed
}

/** A terminal cannot show pictures. */
function sectionInWords(figure: Figure, result: Result): string {
  return `${sectionOf(figure, { ...result, report: { ...result.report, charts: [] } })}\n\n`
}

function busyLine({ busyCores, machine }: Result): string {
  return `The machine is busy: ${busyCores.toFixed(1)} of ${machine.cores} cores had other work.\n`
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\nbecause of ${reasonOf(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}

import { readCommandLine, UsageError, type Wanted } from './command-line.js'
import { FIGURES, type Figure } from './figures.js'
import { isBusy } from './machine.js'
import { measure } from './measure.js'
import { sectionOf } from './page/page.js'
import { resultsIn, writePage } from './page/write-page.js'
import { createProgress } from './progress.js'
import { keepResult, readResults, type Result } from './results.js'
import { CHECKOUT } from './workplace/service.js'
import { hasMongodb, NO_MONGODB } from './workplace/mongodb-server.js'

/** Those that could not be measured; each says why, and the others go on. */
async function measureAll({
  figures,
  leftOut,
  run,
  keep,
  json,
}: Wanted & { kind: 'measure' }): Promise<number> {
  const results = readResults(resultsIn(CHECKOUT))
  const clock = () => performance.now()
  const progress = createProgress({ figures, results, quick: run.quick, output: process.stderr, clock })
  for (const { name } of leftOut) console.error(`${name} ${NO_MONGODB}.`)
  let failed = 0
  for (const [index, figure] of figures.entries()) {
    try {
      const result = await measure(figure, run, progress.of(index))
      progress.clear()
      show(figure, result, json)
      if (keep) await keepResult(resultsIn(CHECKOUT), result)
    } catch (error) {
      progress.clear()
      failed += 1
      console.error(`${figure.name} FAILED:`, error)
    }
  }
  if (keep) await writePage(CHECKOUT)
  return failed
}

function show(figure: Figure, result: Result, json: boolean): void {
  const { busyCores, machine } = result
  if (isBusy(busyCores)) {
    console.error(`The machine is busy: ${busyCores.toFixed(1)} of ${machine.cores} cores had other work.`)
  }
  // A terminal shows no pictures.
  const shown = { ...result, report: { ...result.report, charts: [] } }
  console.log(json ? JSON.stringify(result) : `${sectionOf(figure, shown)}\n`)
}

try {
  const wanted = readCommandLine(process.argv.slice(2), FIGURES, hasMongodb())
  if (wanted.kind === 'help') console.log(wanted.text)
  else if (wanted.kind === 'page') await writePage(CHECKOUT)
  else process.exitCode = (await measureAll(wanted)) === 0 ? 0 : 1
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 2
}

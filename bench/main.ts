import { checkNames, namesOf, numberOf, parseArguments, runProgram, UsageError } from './arguments.js'
import { FIGURES, type Figure } from './figures.js'
import { resultsIn, sectionOf, writePage } from './page.js'
import { busyCores, keepResult, rounded, thisMachine, type Result } from './results.js'
import { createRun, type RunOptions } from './run.js'
import { createStatusLine } from './status-line.js'
import { hasMongodb, NO_MONGODB } from './workplace/mongodb.js'
import { stopEverything } from './workplace/processes.js'
import { CHECKOUT } from './workplace/service.js'

const USAGE = `npm run bench -- [figure …] [options]
  --quick       fewer and shorter rounds, smaller sizes; results are not kept
  --rounds N    count N rounds
  --seconds N   let a round of steady load take N seconds
  --page        measure nothing, write docs/contribute/performance.md from the kept results
  --help        this text
Figures: ${namesOf(FIGURES)}
These have to be named, because they fill large stores first: ${namesOf(FIGURES.filter(({ onlyNamed }) => onlyNamed))}`

const { show, clear } = createStatusLine(process.stderr)

await runProgram(async () => {
  const { values, positionals } = parsed()
  if (values.help) console.log(USAGE)
  else if (values.page) await writePage(CHECKOUT)
  else return await measureAll(chosen(positionals), optionsOf(values))
  return 0
})

function parsed() {
  const flag = { type: 'boolean', default: false } as const
  const value = { type: 'string' } as const
  const options = { quick: flag, page: flag, help: flag, rounds: value, seconds: value }
  return parseArguments({ options, allowPositionals: true }, USAGE)
}

function optionsOf({ quick, rounds, seconds }: ReturnType<typeof parsed>['values']): RunOptions {
  const of = (name: 'rounds' | 'seconds', text: string | undefined) =>
    text === undefined
      ? undefined
      : numberOf(name, text, { least: 1, most: 3_600, isWhole: name === 'rounds' })
  return { quick, rounds: of('rounds', rounds), seconds: of('seconds', seconds) }
}

/** Without names, selects all figures, except large figures and figures that need a missing MongoDB. */
function chosen(names: readonly string[]): readonly Figure[] {
  checkNames('figure', names, FIGURES)
  const isMissing = ({ needsMongodb = false }: Figure) => needsMongodb && !hasMongodb()
  if (names.length === 0) return FIGURES.filter((one) => !one.onlyNamed && !isMissing(one))
  const named = FIGURES.filter(({ name }) => names.includes(name))
  const missing = named.filter(isMissing)
  if (missing.length > 0) throw new UsageError(`${namesOf(missing)} ${NO_MONGODB}.`)
  return named
}

/** If a figure fails, the next figures are still measured. Returns the exit code. */
async function measureAll(figures: readonly Figure[], options: RunOptions): Promise<number> {
  let failed = 0
  for (const figure of figures) {
    try {
      const result = await measure(figure, options)
      console.log(`${sectionOf(figure, result)}\n`)
      if (!options.quick) await keepResult(resultsIn(CHECKOUT), result)
    } catch (error) {
      failed += 1
      console.error(`${figure.name} FAILED:`, error)
    }
  }
  if (!options.quick) await writePage(CHECKOUT)
  return failed === 0 ? 0 : 1
}

/** Always stops the processes that the figure started. */
async function measure(figure: Figure, options: RunOptions): Promise<Result> {
  const others = await busyCores()
  try {
    const report = await figure.measure(createRun(options, (what) => show(`${figure.name}: ${what}`)))
    const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== false)
    return rounded({
      figure: figure.name,
      date: new Date().toISOString().slice(0, 10),
      options: given
        .map(([name, value]) => `--${name}${value === true ? '' : ` ${String(value)}`}`)
        .join(' '),
      machine: thisMachine(),
      busyCores: others,
      report,
    })
  } finally {
    clear()
    await stopEverything()
  }
}

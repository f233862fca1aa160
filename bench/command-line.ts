import { checkNames, namesOf, numberOf, parseArguments, UsageError } from './arguments.js'
import type { Figure } from './figures.js'
import type { RunOptions } from './run.js'
import { NO_MONGODB } from './workplace/mongodb-server.js'

/** The parsed arguments of `npm run bench`. */
export type Wanted =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'page' }
  | {
      readonly kind: 'measure'
      readonly figures: readonly Figure[]
      /** Figures that were not named and are skipped, because this machine has no MongoDB. */
      readonly leftOut: readonly Figure[]
      readonly run: RunOptions
      /** Whether results are kept and the page is written from them. */
      readonly keep: boolean
      /** Prints a line of JSON for each result instead of Markdown. */
      readonly json: boolean
    }

const USAGE = `npm run bench -- [figure …] [options]
  --quick       fewer and shorter rounds, smaller sizes; results are not kept
  --keep        keep them all the same
  --rounds N    count N rounds
  --seconds N   let a round of steady load take N seconds
  --json        a line of JSON for each result
  --page        measure nothing, write docs/contribute/performance.md from the kept results
  --help        this text`

/**
 * Without names all figures are selected, except figures that must be named and, without MongoDB, figures that need
 * MongoDB. Throws a UsageError.
 */
export function readCommandLine(
  args: readonly string[],
  figures: readonly Figure[],
  hasMongodb: boolean,
): Wanted {
  const { values, positionals } = parsed(args)
  if (values.help)
    return { kind: 'help', text: `${USAGE}\nFigures: ${namesOf(figures)}${onlyNamed(figures)}` }
  if (values.page) return { kind: 'page' }
  const { quick, keep, json } = values
  const { wanted, leftOut } = chosen(positionals, figures, hasMongodb)
  const rounds = { ...(values.rounds !== undefined && { rounds: countOf('rounds', values.rounds) }) }
  const seconds = { ...(values.seconds !== undefined && { seconds: countOf('seconds', values.seconds) }) }
  const run = { quick, ...rounds, ...seconds }
  return { kind: 'measure', figures: wanted, leftOut, run, keep: keep || !quick, json }
}

function parsed(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const
  const value = { type: 'string' } as const
  const options = {
    quick: flag,
    keep: flag,
    json: flag,
    page: flag,
    help: flag,
    rounds: value,
    seconds: value,
  }
  return parseArguments({ args: [...args], options, allowPositionals: true }, USAGE)
}

function chosen(names: readonly string[], figures: readonly Figure[], hasMongodb: boolean) {
  checkNames('figure', names, figures)
  const asked = figures.filter(({ name, onlyNamed }) =>
    names.length === 0 ? onlyNamed === undefined : names.includes(name),
  )
  const leftOut = asked.filter(({ needsMongodb = false }) => needsMongodb && !hasMongodb)
  if (names.length > 0 && leftOut.length > 0) {
    throw new UsageError(`${namesOf(leftOut)} ${NO_MONGODB}.`)
  }
  return { wanted: asked.filter((figure) => !leftOut.includes(figure)), leftOut }
}

/** The figures that a run without names skips, a line each. */
function onlyNamed(figures: readonly Figure[]): string {
  const reasons = figures.flatMap((one) =>
    one.onlyNamed === undefined ? [] : [`${one.name} has to be named: ${one.onlyNamed}.`],
  )
  return reasons.map((reason) => `\n${reason}`).join('')
}

function countOf(name: 'rounds' | 'seconds', text: string): number {
  return numberOf(name, text, { least: 1, most: 3_600, isWhole: name === 'rounds' })
}

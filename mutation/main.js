// npm run mutate -- [FOLDER OR FILE BELOW src …] [-- OPTION OF STRYKER …]
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EQUIVALENT } from './equivalent.js'
import { LAYERS, resultsOf } from './layers.js'
import { figures, mutantsOf, unnamed } from './report.js'

const LEAST_KILLED = 90
const OLDEST_NODE = 22
const CONFIG = join(import.meta.dirname, 'stryker.config.js')
const STRYKER = join(import.meta.dirname, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js')

function missing() {
  const [major] = process.versions.node.split('.')
  if (Number(major) < OLDEST_NODE)
    return `Stryker needs Node ${OLDEST_NODE} or newer, and this is ${process.version}.`
  return existsSync(STRYKER) ? undefined : 'Stryker is not installed: npm ci --prefix mutation'
}

function mutate(layer, places, options) {
  const patterns = places.map((place) => `src/${place}${place.endsWith('.ts') ? '' : '/**/*.ts'}`)
  const given = ['--mutate', String(patterns), '--incrementalFile', resultsOf(layer), ...options]
  const { status } = spawnSync(process.execPath, [STRYKER, 'run', CONFIG, ...given], {
    // Stryker's runner does not load the fixture that starts a MongoDB server: tests that need one are skipped.
    env: { ...process.env, MUTATED_LAYER: layer, TEST_MONGODB_SERVER: 'none' },
    stdio: 'inherit',
  })
  return status === 0
}

/** Prints the figures and the survivors of all runs so far. */
function judge() {
  const results = Object.keys(LAYERS).map(resultsOf).filter(existsSync)
  const mutants = results.flatMap((file) => mutantsOf(JSON.parse(readFileSync(file, 'utf8'))))
  const rows = figures(mutants)
  const { survivors, obsolete } = unnamed(mutants, EQUIVALENT)
  console.table(rows)
  for (const { file, lines, mutant } of survivors)
    console.log(`survived: src/${file}:${lines.join()}  ${mutant}`)
  for (const { file, mutant } of obsolete) console.log(`remove from equivalent.js: ${file}  ${mutant}`)
  const isReached = Object.values(rows).every(({ percent }) => percent >= LEAST_KILLED)
  return isReached && survivors.length + obsolete.length === 0
}

function main(args) {
  const reason = missing()
  if (reason !== undefined) {
    console.error(reason)
    return false
  }
  const end = args.findIndex((arg) => arg.startsWith('-'))
  const [places, options] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end)]
  const chosen = places.length > 0 ? places : Object.keys(LAYERS)
  const runs = Object.keys(LAYERS).map((layer) => [
    layer,
    chosen.filter((place) => place.split('/')[0] === layer),
  ])
  return runs.every(([layer, of]) => of.length === 0 || mutate(layer, of, options)) && judge()
}

process.exitCode = main(process.argv.slice(2)) ? 0 : 1

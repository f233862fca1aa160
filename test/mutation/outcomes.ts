import { mutationOf, sameMutation, type Mutation } from './mutants.js'
import { RUN_WHOLE } from './ranges.js'
import type { Result } from './results.js'
import type { Report } from './stryker.js'

/** A mutant, and what Stryker says of it. */
type Outcome = { readonly mutation: Mutation; readonly status: string }
type Counts = Pick<Result, 'killed' | 'timeouts' | 'survivors'>

export function resultOf(piece: string, files: readonly string[], report: Report): Result {
  return scored({ piece, files }, countsOf(outcomesOf(report)))
}

/**
 * A kept result, with what came of its survivors when they were tried again. Stryker has tried what lies in the same
 * places too, which does not count. Throws where one of the survivors was not tried.
 */
export function retried(kept: Result, report: Report): Result {
  const all = outcomesOf(report)
  const isAmong = (mutations: readonly Mutation[]) => (one: Mutation) =>
    mutations.some((other) => sameMutation(one, other))
  const missing = kept.survivors.find((one) => !isAmong(all.map(({ mutation }) => mutation))(one))
  if (missing)
    throw new Error(`Stryker does not try "${missing.change}" in ${missing.file} any more: ${RUN_WHOLE}.`)

  const again = countsOf(all.filter(({ mutation }) => isAmong(kept.survivors)(mutation)))
  const noticed = kept.survivors.length - again.survivors.length
  // Where two places read the same, one of them can have been noticed before: only as many are new as were kept.
  const timeouts = Math.max(0, Math.min(noticed, again.timeouts))
  return scored(kept, {
    killed: kept.killed + noticed - timeouts,
    timeouts: kept.timeouts + timeouts,
    survivors: again.survivors,
  })
}

function outcomesOf(report: Report): readonly Outcome[] {
  return Object.entries(report).flatMap(([file, { mutants }]) =>
    mutants.map((mutant) => ({ mutation: mutationOf(file, mutant), status: mutant.status })),
  )
}

function countsOf(outcomes: readonly Outcome[]): Counts {
  const count = (wanted: string) => outcomes.filter(({ status }) => status === wanted).length
  const survivors = outcomes.filter(hasSurvived).map(({ mutation }) => mutation)
  return { killed: count('Killed'), timeouts: count('Timeout'), survivors }
}

/** What no test reaches survives as well. */
function hasSurvived({ status }: Outcome): boolean {
  return status === 'Survived' || status === 'NoCoverage'
}

function scored(
  { piece, files }: Pick<Result, 'piece' | 'files'>,
  { killed, timeouts, survivors }: Counts,
): Result {
  const mutants = killed + timeouts + survivors.length
  const score = Math.floor(((killed + timeouts) / mutants) * 1000) / 10
  return { piece, files, mutants, killed, timeouts, score, survivors }
}

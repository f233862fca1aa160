import type { Trial, Wanted } from './command-line.js'
import { tryInJobs } from './jobs.js'
import { writePage } from './page/page.js'
import { createProgress, type Output } from './progress.js'
import { keepResult, resultOf, resultsIn, type Result } from './results.js'
import { summaryOf } from './summary.js'
import { runTrial, type Violation } from './trial.js'

export type TryOptions = {
  readonly project: string
  /** Where results go, and what is said about the way to them. */
  readonly results: Output
  readonly messages: Output
  /** Ends the trial that is under way after its round, and begins no other. */
  readonly stopped: AbortSignal
}

/** Tries trial after trial and tells of each violation at once. Gives how many there were. */
export async function tryAll(
  { trials, leftOut, keep, json }: Wanted & { kind: 'try' },
  { project, results, messages, stopped }: TryOptions,
): Promise<number> {
  for (const line of leftOut) messages.write(`${line}\n`)
  const done: Result[] = []
  for (const [index, trial] of trials.entries()) {
    if (stopped.aborted) break
    const place = `${index + 1}/${trials.length}`
    const result =
      trial.jobs === 1
        ? await tryHere(trial, { place, messages, stopped })
        : await tryInJobs(trial, { messages, stopped })
    done.push(result)
    if (json) results.write(`${JSON.stringify(result)}\n`)
    if (keep) await keepResult(resultsIn(project), result)
  }
  if (!json) results.write(`${summaryOf(done)}\n`)
  if (keep) await writePage(project)
  return done.reduce((sum, { violations }) => sum + violations, 0)
}

type HereOptions = Pick<TryOptions, 'messages' | 'stopped'> & { readonly place: string }

/** In this process, with a progress line. */
async function tryHere(trial: Trial, { place, messages, stopped }: HereOptions): Promise<Result> {
  const progress = createProgress(messages, place)
  const outcome = await runTrial(trial, {
    clock: () => performance.now(),
    stopped,
    onProgress: (sofar, note) => {
      progress.show(trial, sofar, note)
    },
    onViolation: (violation) => {
      progress.clear()
      messages.write(`${violationText(trial, violation)}\n`)
    },
  })
  progress.clear()
  return resultOf(trial, outcome, new Date())
}

function violationText({ checker, store, planted }: Trial, { seed, text }: Violation): string {
  const bug = planted === undefined ? '' : ` --planted ${planted}`
  const again = `npm run withstand -- ${checker.name} --store ${store} --seed ${seed} --rounds 1${bug}`
  return `\nVIOLATION, ${checker.name} on ${store}\n${text}\nAgain: ${again}\n`
}

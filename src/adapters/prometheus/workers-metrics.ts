import { Counter, Gauge, Registry } from 'prom-client'
import type { Milliseconds } from '../../domain/instant.js'
import { countedIn, labelled, type MetricNumbers } from './process-numbers.js'
import type { CollectedMetrics, Exposition } from './prometheus-metrics.js'
import { aggregated, expositionOf, numbersIn } from './registries.js'

/** Gets the numbers of another process. May reject, and may never resolve, where that process does not answer. */
export type CollectNumbers = CollectedMetrics['collect']

/** The numbers of a service whose requests are answered by several worker processes. */
export type WorkersMetrics = {
  /**
   * A worker process has begun; those of one number follow one another. What is returned is called at its end: what it
   * has counted, as far as that is known, stays in the sums, and what it measured is gone. Twice is harmless.
   */
  readonly begun: (worker: number, collect: CollectNumbers) => () => void
  /** Asks all workers what they have counted, so that little is lost of one that is killed. Never rejects. */
  readonly refresh: () => Promise<void>
  /**
   * The current numbers of this process and of all workers. A worker that does not answer in time is counted as `late`,
   * and its numbers are those of its last answer.
   */
  readonly exposition: Exposition
}

export type WorkersMetricsOptions = {
  /** How many workers there should be. */
  readonly wanted: number
  /** Of the process that asks. */
  readonly own: CollectedMetrics
  /** For how long a worker is waited for at most. */
  readonly timeout: Milliseconds
}

/** Stands for the process that asks, where its numbers are beside those of the workers. */
const PRIMARY = 'primary'

/**
 * One exposition for several processes: what the service counts is a sum, and what prom-client tells of a process is
 * told apart by the label `worker`. A counter never goes down, whatever becomes of a worker.
 */
export function createWorkersMetrics({ wanted, own, timeout }: WorkersMetricsOptions): WorkersMetrics {
  const alive = new Set<WorkerNumbers>()
  const seen = new Set<number>()
  let ofEnded = Promise.resolve(NOTHING)
  const ofWorkers = new Registry()
  const restarts = restartsIn(ofWorkers, wanted)
  /** How many workers have not answered in time. */
  const refresh = async (ofProcess: boolean) => {
    const answers = await Promise.all(Array.from(alive, (worker) => worker.refresh(ofProcess, timeout)))
    return answers.filter((isInTime) => !isInTime).length
  }
  return {
    begun: (number, collect) => {
      const label = String(number)
      if (seen.has(number)) restarts.inc({ worker: label })
      seen.add(number)
      const worker = workerNumbers(label, collect)
      alive.add(worker)
      return () => {
        if (alive.delete(worker)) ofEnded = withEnded(ofEnded, worker.known())
      }
    },
    refresh: async () => {
      await refresh(false)
    },
    exposition: async () => {
      const [ofPrimary, late] = await Promise.all([own.collect({ ofProcess: true }), refresh(true)])
      // Between these two nothing may be waited for: a worker that ends in between would count twice, or not at all.
      const running = Array.from(alive, (worker) => worker.known())
      const all = [knownFrom(ofPrimary, PRIMARY), ...running, await ofEnded]
      const service = aggregated(all.map((one) => one.service))
      const states = workersIn({ wanted, alive: running.length, late })
      const ofProcesses = aggregated(all.map((one) => one.process))
      return await expositionOf(Registry.merge([service, states, ofWorkers]), ofProcesses)
    },
  }
}

/** For one scrape: another scrape at the same time has other late workers. */
function workersIn(counts: Readonly<Record<'wanted' | 'alive' | 'late', number>>): Registry {
  const registry = new Registry()
  const workers = new Gauge({
    name: 'kennel_workers',
    help: 'Worker processes, by state: wanted, alive, and late for this scrape.',
    labelNames: ['state'],
    registers: [registry],
  })
  for (const [state, count] of Object.entries(counts)) workers.set({ state }, count)
  return registry
}

/** Of every worker from the beginning, so that the first restart counts as one more. */
function restartsIn(registry: Registry, wanted: number): Counter<'worker'> {
  const restarts = new Counter({
    name: 'kennel_worker_restarts_total',
    help: 'Worker processes that were started again because the one before had ended.',
    labelNames: ['worker'],
    registers: [registry],
  })
  for (let worker = 1; worker <= wanted; worker += 1) restarts.inc({ worker: String(worker) }, 0)
  return restarts
}

/** What is known of a process. */
type Known = { readonly service: readonly MetricNumbers[]; readonly process: readonly MetricNumbers[] }

const NOTHING: Known = { service: [], process: [] }

type Collected = Awaited<ReturnType<CollectNumbers>>

function knownFrom({ service, process }: Collected, worker: string, before = NOTHING): Known {
  return { service, process: process ? labelled(process, worker) : before.process }
}

async function withEnded(before: Promise<Known>, { service, process }: Known): Promise<Known> {
  const known = await before
  const added = async (all: readonly MetricNumbers[], last: readonly MetricNumbers[]) =>
    await numbersIn(aggregated([all, countedIn(last)]))
  return { service: await added(known.service, service), process: await added(known.process, process) }
}

type WorkerNumbers = {
  /**
   * Asks for the current numbers, after the answer to an earlier question if it has not come yet. Resolves with whether
   * they came in time.
   */
  refresh(ofProcess: boolean, timeout: Milliseconds): Promise<boolean>
  known(): Known
}

function workerNumbers(label: string, collect: CollectNumbers): WorkerNumbers {
  let known = NOTHING
  const asked = new Map<boolean, Promise<boolean>>()
  const ask = async (ofProcess: boolean) => {
    try {
      known = knownFrom(await collect({ ofProcess }), label, known)
      return true
    } catch {
      // The worker ends, or is gone: its last numbers stay.
      return false
    }
  }
  const askOnce = (ofProcess: boolean) => {
    const answer = ask(ofProcess)
    asked.set(ofProcess, answer)
    void answer.then(() => asked.delete(ofProcess))
    return answer
  }
  /** An earlier question was asked too early to have the current numbers in its answer. */
  const askAfter = async (ofProcess: boolean) => {
    await asked.get(ofProcess)
    return await (asked.get(ofProcess) ?? askOnce(ofProcess))
  }
  return {
    refresh: (ofProcess, timeout) => within(timeout, askAfter(ofProcess)),
    known: () => known,
  }
}

async function within(timeout: Milliseconds, work: Promise<boolean>): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => {
    AbortSignal.timeout(timeout).addEventListener('abort', () => {
      resolve(false)
    })
  })
  return await Promise.race([work, late])
}

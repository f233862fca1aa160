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
  /** The numbers of now of this process and of all workers; of one that does not answer, those that are known of it. */
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
  registerWorkers(ofWorkers, wanted, alive)
  const restarts = restartsIn(ofWorkers, wanted)
  const refresh = async (ofProcess: boolean) => {
    await Promise.all(Array.from(alive, (worker) => worker.refresh(ofProcess, timeout)))
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
    refresh: () => refresh(false),
    exposition: async () => {
      const [ofPrimary] = await Promise.all([own.collect({ ofProcess: true }), refresh(true)])
      // Between these two nothing may be waited for: a worker that ends in between would count twice, or not at all.
      const running = Array.from(alive, (worker) => worker.known())
      const all = [knownFrom(ofPrimary, PRIMARY), ...running, await ofEnded]
      const service = aggregated(all.map((one) => one.service))
      const ofProcesses = aggregated(all.map((one) => one.process))
      return await expositionOf(Registry.merge([service, ofWorkers]), ofProcesses)
    },
  }
}

function registerWorkers(registry: Registry, wanted: number, alive: ReadonlySet<unknown>): void {
  new Gauge({
    name: 'kennel_workers',
    help: 'Worker processes, by state: wanted, and alive.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'wanted' }, wanted)
      this.set({ state: 'alive' }, alive.size)
    },
  })
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
  /** Asks anew, but for an answer that has not come yet. */
  refresh(ofProcess: boolean, timeout: Milliseconds): Promise<void>
  known(): Known
}

function workerNumbers(label: string, collect: CollectNumbers): WorkerNumbers {
  let known = NOTHING
  const asked = new Map<boolean, Promise<void>>()
  const ask = async (ofProcess: boolean) => {
    try {
      known = knownFrom(await collect({ ofProcess }), label, known)
    } catch {
      // It ends, or is gone: the last numbers stand.
    }
  }
  const askOnce = (ofProcess: boolean) => {
    const answer = ask(ofProcess)
    asked.set(ofProcess, answer)
    void answer.then(() => asked.delete(ofProcess))
    return answer
  }
  return {
    refresh: (ofProcess, timeout) => within(timeout, asked.get(ofProcess) ?? askOnce(ofProcess)),
    known: () => known,
  }
}

async function within(timeout: Milliseconds, work: Promise<void>): Promise<void> {
  const late = new Promise((resolve) => {
    AbortSignal.timeout(timeout).addEventListener('abort', resolve)
  })
  await Promise.race([work, late])
}

import { setTimeout as pause } from 'node:timers/promises'
import { Counter, Gauge, Registry } from 'prom-client'
import type { Milliseconds } from '../../domain/instant.js'
import { withWorkerLabel, type MetricNumbers } from './process-numbers.js'
import type { CollectedMetrics } from './prometheus-metrics.js'
import { aggregateMetrics, expositionOf, numbersIn } from './instruments.js'

/** Collects the metrics of another process. May reject, or may never resolve if the process does not respond. */
export type CollectNumbers = CollectedMetrics['collect']

export type WorkersMetrics = ReturnType<typeof createWorkersMetrics>

const PRIMARY = 'primary'

/**
 * Creates one exposition for several processes: the service's counts are summed, and metrics of a process have the label `worker`. A
 * counter never decreases, even if a worker ends.
 */
export function createWorkersMetrics({
  wanted,
  own,
  timeout,
}: {
  readonly wanted: number
  readonly own: CollectedMetrics
  readonly timeout: Milliseconds
}) {
  const alive = new Set<ReturnType<typeof workerNumbers>>()
  const seen = new Set<number>()
  let ofEnded = Promise.resolve(NOTHING)
  const ofWorkers = new Registry()
  const restarts = restartsIn(ofWorkers, wanted)
  /** Collects the metrics of all workers and returns the number of workers that responded too late. */
  const refresh = async (ofProcess: boolean) => {
    const answers = await Promise.all(Array.from(alive, (worker) => worker.refresh(ofProcess, timeout)))
    return answers.filter((isInTime) => !isInTime).length
  }
  return {
    /**
     * Must be called when a worker starts; a later worker may have the same number. Call the returned function when the worker ends: the
     * sums still include the worker's counts, but no longer its gauges. Calling the returned function again has no effect.
     */
    begun: (number: number, collect: CollectNumbers) => {
      const label = String(number)
      if (seen.has(number)) restarts.inc({ worker: label })
      seen.add(number)
      const worker = workerNumbers(label, collect)
      alive.add(worker)
      return () => {
        if (alive.delete(worker)) ofEnded = withEnded(ofEnded, worker.known())
      }
    },
    /** Collects the counts of all workers; with regular calls, few counts are lost if a worker is killed. Never rejects. */
    refresh: async (): Promise<void> => {
      await refresh(false)
    },
    /** Returns the metrics of all processes. If a worker does not reply in time, uses the metrics from the worker's previous reply. */
    exposition: async () => {
      const [ofPrimary, late] = await Promise.all([own.collect({ ofProcess: true }), refresh(true)])
      // No `await` may separate `alive` and `ofEnded`, because a worker that ends in between would be counted twice or not at all.
      const running = Array.from(alive, (worker) => worker.known())
      const all = [knownFrom(ofPrimary, PRIMARY), ...running, await ofEnded]
      const service = aggregateMetrics(all.map((one) => one.service))
      const states = workersIn({ wanted, alive: running.length, late })
      const ofProcesses = aggregateMetrics(all.map((one) => one.process))
      return await expositionOf(Registry.merge([service, states, ofWorkers]), ofProcesses)
    },
  }
}

/** Creates a new registry for each scrape, because the number of late workers can differ between scrapes. */
function workersIn(counts: Readonly<Record<'wanted' | 'alive' | 'late', number>>): Registry {
  const registry = new Registry()
  const workers = new Gauge({
    name: 'kennel_workers',
    help: 'Worker processes, by state: wanted, alive, and late in responding to this scrape.',
    labelNames: ['state'],
    registers: [registry],
  })
  for (const [state, count] of Object.entries(counts)) workers.set({ state }, count)
  return registry
}

/** The counter of every worker starts at 0, so that the first restart is visible as an increase. */
function restartsIn(registry: Registry, wanted: number): Counter<'worker'> {
  const restarts = new Counter({
    name: 'kennel_worker_restarts_total',
    help: 'Worker processes that were started to replace a process that had ended.',
    labelNames: ['worker'],
    registers: [registry],
  })
  for (let worker = 1; worker <= wanted; worker += 1) restarts.inc({ worker: String(worker) }, 0)
  return restarts
}

type LastNumbers = { readonly service: readonly MetricNumbers[]; readonly process: readonly MetricNumbers[] }

const NOTHING: LastNumbers = { service: [], process: [] }

type CollectedNumbers = Awaited<ReturnType<CollectNumbers>>

function knownFrom({ service, process }: CollectedNumbers, worker: string, before = NOTHING): LastNumbers {
  return { service, process: process ? withWorkerLabel(process, worker) : before.process }
}

async function withEnded(
  before: Promise<LastNumbers>,
  { service, process }: LastNumbers,
): Promise<LastNumbers> {
  const known = await before
  const sumOf = async (all: readonly MetricNumbers[], last: readonly MetricNumbers[]) =>
    // Gauges are meaningless after the process has ended.
    await numbersIn(aggregateMetrics([all, last.filter(({ type }) => type !== 'gauge')]))
  return { service: await sumOf(known.service, service), process: await sumOf(known.process, process) }
}

function workerNumbers(label: string, collect: CollectNumbers) {
  let known = NOTHING
  const asked = new Map<boolean, Promise<boolean>>()
  const ask = async (ofProcess: boolean) => {
    try {
      known = knownFrom(await collect({ ofProcess }), label, known)
      return true
    } catch {
      // The worker has ended, so its last metrics are kept.
      return false
    }
  }
  const askOnce = (ofProcess: boolean) => {
    const answer = ask(ofProcess)
    asked.set(ofProcess, answer)
    void answer.then(() => asked.delete(ofProcess))
    return answer
  }
  /** The response to an earlier request may be outdated. */
  const askAfter = async (ofProcess: boolean) => {
    await asked.get(ofProcess)
    return await (asked.get(ofProcess) ?? askOnce(ofProcess))
  }
  return {
    /** Requests the current metrics, after any earlier request has been answered. Resolves with `true` if the metrics arrive in time. */
    refresh: (ofProcess: boolean, timeout: Milliseconds) =>
      Promise.race([askAfter(ofProcess), pause(timeout, false, { ref: false })]),
    known: () => known,
  }
}

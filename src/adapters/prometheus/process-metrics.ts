import { collectDefaultMetrics, Registry } from 'prom-client'

let shared: Registry | undefined

/**
 * What prom-client tells of the process: CPU, memory, event loop, garbage collection. It watches until the
 * process ends and cannot be stopped, so it is begun when it is first asked for, and once only.
 */
export function processMetrics(): Registry {
  if (!shared) {
    shared = new Registry()
    collectDefaultMetrics({ register: shared })
  }
  return shared
}

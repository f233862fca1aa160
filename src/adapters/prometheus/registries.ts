import { AggregatorRegistry, type Registry } from 'prom-client'
import type { MetricNumbers } from './process-numbers.js'

// Separate from the declarations of the entry, which compile without prom-client.

/** All numbers of a registry. JSON cannot express NaN, such as the mean of no values, so NaN is left out. */
export async function numbersIn(registry: Registry): Promise<MetricNumbers[]> {
  const metrics = await registry.getMetricsAsJSON()
  return metrics.map(({ name, help, type, aggregator, values }) => ({
    name,
    help,
    // The declared type is a number; at run time it is a string.
    type: String(type),
    aggregator,
    values: values.filter(({ value }) => Number.isFinite(value)),
  }))
}

/** Combines the numbers of several processes, each metric by its aggregator. */
export function aggregated(all: readonly (readonly MetricNumbers[])[]): Registry {
  return AggregatorRegistry.aggregate([...all])
}

/** The metrics of the service come before the metrics of its processes. */
export async function expositionOf(
  service: Registry,
  ofProcess: Registry,
): Promise<{ readonly contentType: string; readonly text: string }> {
  const text = `${await service.metrics()}\n${await ofProcess.metrics()}`
  return { contentType: service.contentType, text }
}

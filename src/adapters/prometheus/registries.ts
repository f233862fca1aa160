import { AggregatorRegistry, type Registry } from 'prom-client'
import type { MetricNumbers } from './process-numbers.js'

// This module is separate from the type declarations of the entry point, which must compile without prom-client.

/**
 * Returns all metrics of a registry as plain data. JSON cannot represent NaN, such as the mean of no values, so NaN values are omitted.
 */
export async function numbersIn(registry: Registry): Promise<MetricNumbers[]> {
  const metrics = await registry.getMetricsAsJSON()
  return metrics.map(({ name, help, type, aggregator, values }) => ({
    name,
    help,
    // The declared type is a number, but the value is a string at run time.
    type: String(type),
    aggregator,
    values: values.filter(({ value }) => Number.isFinite(value)),
  }))
}

/** Combines the metrics of several processes, using the aggregator of each metric. */
export function aggregateMetrics(all: readonly (readonly MetricNumbers[])[]): Registry {
  return AggregatorRegistry.aggregate([...all])
}

/** Returns the exposition: first the metrics of the service, then the metrics of its processes. */
export async function expositionOf(
  service: Registry,
  ofProcess: Registry,
): Promise<{ readonly contentType: string; readonly text: string }> {
  const text = `${await service.metrics()}\n${await ofProcess.metrics()}`
  return { contentType: service.contentType, text }
}

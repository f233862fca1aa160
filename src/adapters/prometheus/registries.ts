import { AggregatorRegistry, type Registry } from 'prom-client'
import type { MetricNumbers } from './process-numbers.js'

// Apart from what the entry declares: its declarations compile where prom-client is not installed.

/** All numbers of a registry. What is no number, such as the mean of nothing, is left out: JSON has no way to write it. */
export async function numbersIn(registry: Registry): Promise<MetricNumbers[]> {
  const metrics = await registry.getMetricsAsJSON()
  return metrics.map(({ name, help, type, aggregator, values }) => ({
    name,
    help,
    // The declared type is a number; at run time it is a word.
    type: String(type),
    aggregator,
    values: values.filter(({ value }) => Number.isFinite(value)),
  }))
}

/** One registry that has the numbers of several processes, each metric by its aggregator. */
export function aggregated(all: readonly (readonly MetricNumbers[])[]): Registry {
  return AggregatorRegistry.aggregate([...all])
}

/** What the service counts before what is of its process. */
export async function expositionOf(
  service: Registry,
  ofProcess: Registry,
): Promise<{ readonly contentType: string; readonly text: string }> {
  const text = `${await service.metrics()}\n${await ofProcess.metrics()}`
  return { contentType: service.contentType, text }
}

/** Entry point `kennel-id/prometheus`: metrics, and the server that exposes them. */
export { bindMetricsServer, type BoundMetricsServer } from './metrics-server.js'
export { createPrometheusMetrics, type Exposition, type PrometheusMetrics } from './prometheus-metrics.js'

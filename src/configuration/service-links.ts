/** Kubernetes gives a Service named `x` to each container as `X_PORT=tcp://host:port`, and so do links of Docker. */
const LINK = /^(?:tcp|udp|sctp):\/\/[^/]+:[0-9]+$/

/** Whether a platform has set the variable for a Service, so it is no setting of an operator. */
export function isServiceLink(value: string | undefined): boolean {
  return value !== undefined && LINK.test(value)
}

/** The error of a setting that such a variable hides. */
export function serviceLinkSentence(variable: string): string {
  return `${variable} has the form tcp://host:port, which Kubernetes sets for a Service: set enableServiceLinks: false for the pod, or rename the Service`
}

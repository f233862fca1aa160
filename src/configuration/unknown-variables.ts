import { isOneEditApart } from '../domain/suggestions.js'

/** A sentence for each name that is unknown and one slip of the keyboard away from a known one. */
export function misspelt(names: readonly string[], known: readonly string[]): string[] {
  const there = new Set(known)
  return names.flatMap((name) => {
    const meant = there.has(name) ? undefined : nearest(name, known)
    return meant === undefined ? [] : [`${name} is unknown; did you mean ${meant}?`]
  })
}

/**
 * The first that is one edit apart. An edit changes the length by one at most and, but for two letters, leaves the
 * first character or the last one where it is: few names of an environment are compared at all.
 */
function nearest(name: string, known: readonly string[]): string | undefined {
  const { length } = name
  for (const one of known) {
    const longer = one.length - length
    if (longer > 1 || longer < -1) continue
    const isLike = one[0] === name[0] || one[one.length - 1] === name[length - 1] || length < 3
    if (isLike && isOneEditApart(name, one)) return one
  }
  return undefined
}

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

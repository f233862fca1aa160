import { isOneEditApart } from '../domain/suggestions.js'

/** A sentence for each unknown name that is one edit away from a known name. */
export function misspelt(names: readonly string[], known: readonly string[]): string[] {
  const there = new Set(known)
  return names.flatMap((name) => {
    const meant = there.has(name) ? undefined : nearest(name, known)
    return meant === undefined ? [] : [`${name} is unknown; did you mean ${meant}?`]
  })
}

/**
 * The first known name that is one edit away. An edit changes the length by one at most, and in names of three letters or
 * more it keeps the first or the last letter, so few names need the complete comparison.
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

/** Whether a platform has set the variable for a Service; then it is not a setting. */
export function isServiceLink(value: string | undefined): boolean {
  return value !== undefined && LINK.test(value)
}

/** The error about a setting that has the name of such a variable. */
export function serviceLinkSentence(variable: string): string {
  return `${variable} has the form tcp://host:port, which Kubernetes sets for a Service: set enableServiceLinks: false for the pod, or rename the Service`
}

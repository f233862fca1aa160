// Finds misspelled variables, and ignores the variables that container platforms add.
import { isOneEditApart } from '../domain/messages.js'

/** `PAGER` is a common shell variable, not a misspelled `PAGES`. */
const OF_SHELLS = 'PAGER'

/** Returns a sentence for each unknown name that is one edit away from a known name. */
export function misspellings(names: readonly string[], known: readonly string[]): string[] {
  const there = new Set([...known, OF_SHELLS])
  return names.flatMap((name) => {
    const meant = there.has(name) ? undefined : nearest(name, known)
    return meant === undefined ? [] : [`${name} is unknown; did you mean ${meant}?`]
  })
}

/**
 * Returns the first known name that is one edit away from the name. One edit changes the length by at most one, and leaves the first or last
 * letter of a name with three or more letters unchanged. As a result, few names need the full comparison.
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

/** For a Service named `x`, Kubernetes and Docker links set `X_PORT=tcp://host:port` in every container. */
const LINK = /^(?:tcp|udp|sctp):\/\/[^/]+:[0-9]+$/

/** Returns whether the platform has set the variable for a Service, which means that the variable is not a setting. */
export function isServiceLink(value: string | undefined): boolean {
  return value !== undefined && LINK.test(value)
}

/** Returns the error about a setting whose variable a platform has set for a Service. */
export function serviceLinkSentence(variable: string): string {
  return `${variable} has the form tcp://host:port, which Kubernetes sets for a Service: set enableServiceLinks: false for the pod, or rename the Service`
}

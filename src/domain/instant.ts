/** A moment in milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

/** A duration in milliseconds. */
export type Milliseconds = number

/** Matches the member names whose values are instants. */
const INSTANT_NAME = /^(?:at|since|until|\w+At|activeSince)$/

/** Returns the object's JSON form, with instants as ISO 8601 strings in UTC. */
export function withIsoTimes(row: object): Readonly<Record<string, unknown>> {
  const entries = Object.entries(row).map(([name, value]: [string, unknown]) => [
    name,
    INSTANT_NAME.test(name) && typeof value === 'number' ? new Date(value).toISOString() : value,
  ])
  return Object.fromEntries(entries) as Record<string, unknown>
}

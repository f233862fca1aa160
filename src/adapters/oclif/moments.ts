import type { Instant } from '../../domain/instant.js'

const SPAN = /^(\d{1,9})(m|h|d)$/
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** Parses `24h` (24 hours ago), a date (midnight UTC) or a date with time and time zone. */
export function instantAgo(text: string, now: Instant): Instant | undefined {
  return instantFrom(text, now, -1)
}

/** Parses like `instantAgo`, but `24h` means 24 hours from now. */
export function instantAhead(text: string, now: Instant): Instant | undefined {
  return instantFrom(text, now, 1)
}

function instantFrom(text: string, now: Instant, direction: 1 | -1): Instant | undefined {
  const [, count = '', unit = ''] = SPAN.exec(text) ?? []
  if (count !== '') return now + direction * Number(count) * (UNITS[unit] ?? 0)
  const instant = DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(instant) || !isOnCalendar(text) ? undefined : instant
}

/** `Date.parse` interprets February 30 as a day in March. */
function isOnCalendar(text: string): boolean {
  const day = text.slice(0, 10)
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

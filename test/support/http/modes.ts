import { STATELESS } from './service.js'

/** A test of a stored session's features; stateless runs omit it. */
export function itWithSessions(title: string, body: () => Promise<void>): void {
  if (!STATELESS) it(title, body)
}

import { STATELESS } from './service.js'

/** The part of `it`'s result that is used here. */
type Defined = { timeout(milliseconds: number): unknown }

const NOT_THERE: Defined = { timeout: () => undefined }

/** A test of a stored session's features; stateless runs omit it. */
export function itWithSessions(title: string, body: () => Promise<void>): Defined {
  return STATELESS ? NOT_THERE : it(title, body)
}

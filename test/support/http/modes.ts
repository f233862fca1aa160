import { STATELESS } from './service.js'

/** What `it` gives, as far as it is used here. */
type Defined = { timeout(milliseconds: number): unknown }

const NOT_THERE: Defined = { timeout: () => undefined }

/** A test of what only a stored session gives; a run of stateless mode is without it. */
export function itWithSessions(title: string, body: () => Promise<void>): Defined {
  return STATELESS ? NOT_THERE : it(title, body)
}

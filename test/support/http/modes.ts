import { STATELESS, TOKEN_USE } from './service.js'

/** What `it` gives, as far as it is used here. */
type Defined = { timeout(milliseconds: number): unknown }

const NOT_THERE: Defined = { timeout: () => undefined }

/** A test of what only a stored session gives; a run of stateless mode is without it. */
export function itWithSessions(title: string, body: () => Promise<void>): Defined {
  return STATELESS ? NOT_THERE : it(title, body)
}

/** Rounds of a race: fewer where only the tokens differ from the run that has them all. */
export function rounds(count: number): number {
  return TOKEN_USE === 'HS512' ? count : Math.ceil(count / 10)
}

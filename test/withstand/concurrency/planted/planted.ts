import type { Store } from '../../../../src/ports/store.js'
import { countedLater } from './attempts.js'
import { secondPatch, secondPet } from './pets.js'
import { lateEnd, staleRead, twoSuccessors } from './sessions.js'
import { secondCode, secondReset } from './single-use.js'

/** Each bug of a store: what is wrong, and the store that is wrong in that way. */
const BUGS: Readonly<Record<string, { readonly what: string; readonly alter: (store: Store) => Store }>> = {
  'late-logout': { what: 'a logout is answered before the session has ended', alter: lateEnd },
  'two-successors': {
    what: 'of two refreshes with one token each gets its own successor',
    alter: twoSuccessors,
  },
  'stale-session': {
    what: 'a session is read from a copy after another process has ended it',
    alter: staleRead,
  },
  'second-pet': { what: 'two requests with one idempotency key make two pets', alter: secondPet },
  'second-patch': { what: 'two changes that expect one revision are both made', alter: secondPatch },
  'second-reset': { what: 'a reset token is good twice', alter: secondReset },
  'second-code': { what: 'a recovery code is good twice', alter: secondCode },
  'counted-later': { what: 'attempts are counted by a read and a later write', alter: countedLater },
}

export const PLANTED: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(BUGS).map(([name, { what }]) => [name, what]),
)

/** The store with this bug in it, or as it is. */
export function withPlanted(store: Store, name: string | undefined): Store {
  if (name === undefined) return store
  const bug = BUGS[name]
  if (!bug) throw new Error(`there is no planted bug ${name}`)
  return bug.alter(store)
}

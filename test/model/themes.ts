import fc from 'fast-check'
import type { Step } from './play.js'
import * as identity from './steps/identity.js'
import { commands, revocations } from './steps/operator.js'
import * as own from './steps/own-account.js'
import * as pets from './steps/pets.js'
import * as resets from './steps/resets.js'
import { atTheEndOfAWindow, limits, pauses } from './steps/time.js'

const { guesses, identities, logins, logouts, refreshes } = identity

/** What a history is mostly about; a step that is there twice comes twice as often. */
const THEMES: readonly (readonly fc.Arbitrary<Step>[])[] = [
  // Sessions and their generations, which are the hardest to get right.
  [
    ...[
      refreshes,
      refreshes,
      refreshes,
      identity.stolenRefreshes,
      atTheEndOfAWindow(identity.stolenRefreshes),
    ],
    ...[atTheEndOfAWindow(identities), identities, identities, logins, logouts, pauses, limits],
  ],
  [
    ...[
      refreshes,
      refreshes,
      refreshes,
      identity.stolenRefreshes,
      atTheEndOfAWindow(identity.stolenRefreshes),
    ],
    ...[atTheEndOfAWindow(identities), identities, identities, logins, logouts, pauses, limits],
  ],
  // The own account.
  [
    ...[logins, logins, logins, refreshes, identities, own.sessionLists, own.sessionLists],
    ...[own.sessionEnds, own.sessionEnds, own.deletions, identity.passwordChanges, commands],
    ...[identity.loginsAs, limits, pauses],
  ],
  // What ends a login and changes what is permitted.
  [
    ...[logins, logins, identities, identities, refreshes, commands, commands],
    ...[identity.projects, identity.passwordChanges, limits],
  ],
  // Impersonation.
  [
    ...[identity.loginsAs, identity.loginsAs, identity.logoutsAs, identity.logoutsAs],
    ...[identities, identities, refreshes, logouts, identity.projects, commands, limits],
  ],
  // Attempts, and passwords that are reset.
  [
    logins,
    ...[guesses, guesses, guesses],
    resets.asks,
    resets.consumptions,
    identities,
    pets.reads,
    identity.passwordChanges,
    limits,
  ],
  // Pets.
  [
    ...[pets.creations, pets.creations, pets.lists, pets.lists, pets.picks, pets.picks, pets.reads],
    ...[pets.patches, pets.patches, pets.patches, pets.removals, limits],
  ],
  // Everything.
  [
    ...[logins, identities, refreshes, refreshes, logouts, identity.passwordChanges, identity.projects],
    ...[identity.loginsAs, identity.logoutsAs, commands, limits, limits, pauses],
    ...[resets.asks, resets.consumptions, pets.creations, pets.patches, pets.lists, revocations],
    ...[own.sessionLists, own.sessionEnds, own.deletions],
  ],
]

const MOST = 28

/** The steps of one history. */
export const histories: fc.Arbitrary<Iterable<Step>> = fc.oneof(
  ...THEMES.map((theme) => fc.commands([...theme], { maxCommands: MOST, size: 'max' })),
)

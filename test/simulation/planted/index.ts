import { ACCOUNTS } from './accounts.js'
import type { PlantedBugs } from './changes.js'
import { CONFIRMATIONS, MAILED_PROOFS } from './mailed-proofs.js'
import { PASSKEYS } from './passkeys.js'
import { PETS } from './pets.js'
import { PROOFS } from './proofs.js'
import { SESSIONS } from './sessions.js'
import { STEP_UP } from './step-up.js'

/** The planted bugs, keyed by their descriptions. */
export const PLANTED: PlantedBugs = {
  ...{ ...SESSIONS, ...ACCOUNTS, ...PROOFS, ...MAILED_PROOFS },
  ...{ ...CONFIRMATIONS, ...PETS, ...STEP_UP, ...PASSKEYS },
}

import type { CreateApiKey } from '../../application/access/create-api-key.js'
import type { CreateRole } from '../../application/access/create-role.js'
import type { AssignRole } from '../../application/accounts/assign-role.js'
import type { CreateUser } from '../../application/accounts/create-user.js'
import type { SetAllPasswords } from '../../application/accounts/set-all-passwords.js'
import type { SetPassword } from '../../application/accounts/set-password.js'

/** What one run of a command works with, from configuration to closed store. */
export type Operation = {
  readonly createUser: CreateUser
  readonly setPassword: SetPassword
  readonly setAllPasswords: SetAllPasswords
  readonly assignRole: AssignRole
  readonly createRole: CreateRole
  readonly createApiKey: CreateApiKey
  /** Key of the result of `user password`. */
  readonly userModelName: string
  /** Conveniences are off. */
  readonly production: boolean
  close(): Promise<void>
}

/**
 * Reads the configuration and opens the store. Rejects with `UsageFault` where there is no store
 * to talk to, with `SetupFault` where the configuration is wrong.
 */
export type OpenOperation = () => Promise<Operation>

/** Wrong usage: exit status 2 and nothing on standard output. */
export class UsageFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageFault'
  }
}

/** The command cannot run as things are set up; every fault in a sentence of its own, none with a secret. */
export class SetupFault extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.name = 'SetupFault'
    this.faults = faults
  }
}

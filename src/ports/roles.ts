import type { Role, RoleKey } from '../domain/access/role.js'
import type { Email } from '../domain/identity/email.js'
import type { Instant } from '../domain/instant.js'

/** Roles and their assignments to accounts. */
export type Roles = {
  /** Atomic for each role key. */
  insert(role: Role): Promise<'inserted' | 'duplicate-key'>
  /** Returns all roles, sorted by key. */
  list(): Promise<readonly Role[]>
  /**
   * Removes a role; returns `held` if the role is assigned to an account, or to an API key that is valid at `at`. API keys that are revoked
   * or expired lose the role. Atomic: a removal and a concurrent assignment of the role cannot both succeed.
   */
  remove(key: RoleKey, at: Instant): Promise<'removed' | 'held' | 'unknown'>
  /** Any number of concurrent calls create only one assignment. */
  assign(
    email: Email,
    key: RoleKey,
  ): Promise<'assigned' | 'already-assigned' | 'unknown-account' | 'unknown-role'>
  /** The change takes effect at the next read of the account or of its sessions. */
  unassign(
    email: Email,
    key: RoleKey,
  ): Promise<'unassigned' | 'not-assigned' | 'unknown-account' | 'unknown-role'>
}

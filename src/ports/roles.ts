import type { Role, RoleKey } from '../domain/access/role.js'
import type { Email } from '../domain/identity/email.js'
import type { Instant } from '../domain/instant.js'

/** The role table and its memberships. */
export type Roles = {
  /** Atomic on the key. */
  insert(role: Role): Promise<'inserted' | 'duplicate-key'>
  /** All roles, by key. */
  list(): Promise<readonly Role[]>
  /**
   * Removes a role that no account holds and no API key that is valid at `at`; revoked and expired keys lose it. Atomic:
   * a removal and a concurrent call that gives the role do not both succeed.
   */
  remove(key: RoleKey, at: Instant): Promise<'removed' | 'held' | 'unknown'>
  /** One membership, however often and by however many callers it is assigned. */
  assign(
    email: Email,
    key: RoleKey,
  ): Promise<'assigned' | 'already-assigned' | 'unknown-account' | 'unknown-role'>
  /** In force from the next read of the account or of its sessions. */
  unassign(
    email: Email,
    key: RoleKey,
  ): Promise<'unassigned' | 'not-assigned' | 'unknown-account' | 'unknown-role'>
}

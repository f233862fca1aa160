import type { Role } from '../../domain/access/role.js'
import type { Account, AccountId, Epoch } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { PasswordHash } from '../../domain/identity/password.js'
import type { Instant } from '../../domain/instant.js'

/**
 * The roles of one row as a JSON array, so that they come in the same read. `members` is the
 * table of memberships, `owner` its column for the row, which is `id`.
 */
export function rolesOf(members: 'memberships' | 'api_key_roles', owner: string, id: string): string {
  return `(
    SELECT json_group_array(json_object('uuid', uuid, 'key', key, 'label', label))
    FROM (
      SELECT r.uuid, r.key, r.label
      FROM ${members} AS m CROSS JOIN roles AS r ON r.key = m.role_key
      WHERE m.${owner} = ${id} ORDER BY m.role_key
    )
  )`
}

/** Makes an account, its id first, a member of a role; once, however often. Searches look for what it keeps of the account. */
export const JOIN_ROLE = `
  INSERT INTO memberships (account_id, role_key, email, disabled)
  SELECT id, ?2, email, disabled_at IS NOT NULL FROM accounts WHERE id = ?1
  ON CONFLICT DO NOTHING`

/** The roles that such a column holds. */
export function parseRoles(json: string): readonly Role[] {
  return json === '[]' ? [] : (JSON.parse(json) as Role[])
}

const OWN_COLUMNS =
  'a.id, a.email, a.password_hash, a.epoch, a.disabled_at, a.created_at, a.second_factor, a.entered_email, a.shared_email'

/** Columns of an account, for the table alias `a`. */
export const ACCOUNT_COLUMNS = `${OWN_COLUMNS}, ${rolesOf('memberships', 'account_id', 'a.id')} AS roles`

/** The same where accounts come in the order of their emails: their memberships then lie beside each other as well. */
export const ACCOUNT_COLUMNS_BY_EMAIL = `${OWN_COLUMNS}, ${rolesOf('memberships', 'email', 'a.email')} AS roles`

export type AccountRow = readonly [
  id: AccountId,
  email: Email,
  passwordHash: PasswordHash | null,
  epoch: Epoch,
  disabledAt: Instant | null,
  createdAt: Instant,
  secondFactor: 1 | null,
  enteredEmail: Email | null,
  sharedEmail: Email | null,
  roles: string,
]

export function accountOf(row: AccountRow): Account {
  const [id, email, passwordHash, epoch, disabledAt, createdAt, secondFactor, entered, shared, roles] = row
  return {
    id,
    ...emailsOf(email, entered, shared),
    ...(passwordHash !== null && { passwordHash }),
    epoch,
    ...(disabledAt !== null && { disabledAt }),
    createdAt,
    ...(secondFactor !== null && { secondFactor: true }),
    roles: parseRoles(roles),
  }
}

/** The emails of an account's columns. */
export function emailsOf(email: Email, entered: Email | null, shared: Email | null) {
  return {
    email,
    ...(entered !== null && { enteredEmail: entered }),
    ...(shared !== null && { sharedEmail: shared }),
  }
}

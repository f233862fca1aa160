import { unusable } from '../../domain/refusal.js'
import { canonicaliseEmails, RELEASED_STEPS } from './released-steps.js'
import { assertUpgraded, assertUsable, markFor, type SchemaMark, type SchemaPlan } from '../upgrades.js'
import type { Value } from '../sql/statements.js'
import type { Connection } from './driver.js'
import { INSERTED_ROWS_STEP, ROW_CHANGES_STEP } from './row-changes.js'
import { inTransaction } from './transaction.js'

/** "KNNL" in the file header identifies Kennel's files, so that databases of other programs are not changed. */
const APPLICATION_ID = 0x4b4e4e4c
const FOREIGN = 'The database file belongs to another program: set DATABASE_URL to another file.'

/**
 * Converts every reset token to a proof. Release 0.8.0 stores reset tokens in `reset_offers`, even while it runs alongside this release; a
 * release after 0.9 can drop the table and the trigger. Release 0.8.0 did not store the time of the request, so `created_at` is 0. Tokens
 * from releases up to 0.4.0 have no mail job and are not converted.
 */
const RESET_PROOFS_STEP = `
  CREATE TRIGGER proofs_of_reset_offers AFTER INSERT ON reset_offers WHEN new.mail_job_id <> '' BEGIN
    INSERT OR REPLACE INTO proofs (id, purpose, email, created_at, until, account_id, epoch, digest, attempts)
      SELECT new.mail_job_id, 'reset-password', ifnull(shared_email, email), 0, new.until, id, new.epoch, new.digest, 0
      FROM accounts WHERE id = new.account_id;
  END;
  REPLACE INTO reset_offers SELECT * FROM reset_offers ORDER BY number;
`

/** The version of a file is the number of schema steps that have been applied to it, so released steps must never change. */
export const MIGRATIONS: readonly string[] = [
  ...RELEASED_STEPS,
  `
  ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;
  ALTER TABLE api_keys ADD COLUMN last_used_at INTEGER;
  `,
  // The account's row also records whether a second factor is active, so a login without a second factor reads no other row.
  `
  CREATE TABLE second_factors (
    account_id INTEGER NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE, sealed_secret TEXT NOT NULL,
    begun_at INTEGER NOT NULL, active_since INTEGER, last_step INTEGER
  ) STRICT;
  CREATE TABLE recovery_codes (
    account_id INTEGER NOT NULL REFERENCES second_factors (account_id) ON DELETE CASCADE, digest TEXT NOT NULL,
    PRIMARY KEY (account_id, digest)
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE accounts ADD COLUMN second_factor INTEGER;
  ALTER TABLE sessions ADD COLUMN factor INTEGER;
  `,
  `
  ALTER TABLE sessions ADD COLUMN opened_client TEXT;
  ALTER TABLE sessions ADD COLUMN opened_network TEXT;
  CREATE INDEX sessions_by_actor ON sessions (actor_id) WHERE actor_id IS NOT NULL;
  `,
  `
  ALTER TABLE mail_jobs ADD COLUMN about TEXT;
  `,
  `
  ALTER TABLE memberships ADD COLUMN email TEXT NOT NULL DEFAULT '';
  ALTER TABLE memberships ADD COLUMN disabled INTEGER NOT NULL DEFAULT 0;
  UPDATE memberships SET (email, disabled) =
    (SELECT email, disabled_at IS NOT NULL FROM accounts WHERE id = memberships.account_id);
  CREATE INDEX memberships_by_email ON memberships (email, role_key);
  CREATE INDEX memberships_by_role ON memberships (role_key, email);
  CREATE INDEX memberships_of_disabled ON memberships (role_key, email) WHERE disabled = 1;
  CREATE INDEX accounts_of_disabled ON accounts (email) WHERE disabled_at IS NOT NULL;
  `,
  // Stores the token pairs of a login in stateless mode; a row without pairs is a revocation.
  `
  ALTER TABLE revocations ADD COLUMN pair_id TEXT;
  ALTER TABLE revocations ADD COLUMN kid TEXT;
  ALTER TABLE revocations ADD COLUMN issued_at INTEGER;
  ALTER TABLE revocations ADD COLUMN previous_pair_id TEXT;
  ALTER TABLE revocations ADD COLUMN previous_until INTEGER;
  `,
  `
  CREATE INDEX mail_jobs_by_email ON mail_jobs (email, id);
  `,
  `
  ALTER TABLE projects ADD COLUMN closed_at INTEGER;
  CREATE INDEX projects_by_creator ON projects (created_by, id);
  `,
  `
  ALTER TABLE accounts ADD COLUMN entered_email TEXT;
  ALTER TABLE accounts ADD COLUMN shared_email TEXT;
  CREATE INDEX accounts_by_shared_email ON accounts (shared_email) WHERE shared_email IS NOT NULL;
  `,
  ROW_CHANGES_STEP,
  // A session now identifies its verified second factor by the time when the factor was confirmed; previously, accounts and sessions had
  // only a flag.
  `
  UPDATE accounts SET second_factor = (SELECT active_since FROM second_factors WHERE account_id = accounts.id)
    WHERE second_factor IS NOT NULL;
  UPDATE sessions SET factor = (SELECT second_factor FROM accounts WHERE id = ifnull(actor_id, account_id))
    WHERE factor IS NOT NULL;
  `,
  INSERTED_ROWS_STEP,
  `
  ALTER TABLE api_keys ADD COLUMN created_by ANY;
  CREATE INDEX api_keys_by_creator ON api_keys (created_by) WHERE created_by IS NOT NULL;
  `,
  `
  CREATE TABLE proofs (
    id TEXT NOT NULL PRIMARY KEY, purpose TEXT NOT NULL, email TEXT NOT NULL, entered_email TEXT,
    created_at INTEGER NOT NULL, until INTEGER NOT NULL,
    account_id INTEGER REFERENCES accounts (id) ON DELETE CASCADE, epoch INTEGER, roles TEXT, binding TEXT,
    digest TEXT, code_hash TEXT, attempts INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX proofs_by_digest ON proofs (digest) WHERE digest IS NOT NULL;
  CREATE UNIQUE INDEX proofs_by_binding ON proofs (binding) WHERE binding IS NOT NULL;
  CREATE INDEX proofs_by_account ON proofs (account_id, id) WHERE account_id IS NOT NULL;
  CREATE INDEX proofs_by_purpose ON proofs (purpose, id);
  CREATE INDEX proofs_by_end ON proofs (until);
  `,
  `
  ALTER TABLE sessions ADD COLUMN proved_at INTEGER;
  ALTER TABLE sessions ADD COLUMN factor_at INTEGER;
  `,
  RESET_PROOFS_STEP,
  `
  CREATE TABLE passkeys (
    id TEXT NOT NULL PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    public_key TEXT NOT NULL, counter INTEGER NOT NULL, synced INTEGER NOT NULL, backed_up INTEGER NOT NULL,
    transports TEXT NOT NULL, name TEXT NOT NULL, created_at INTEGER NOT NULL, last_used_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX passkeys_by_account ON passkeys (account_id, created_at, id);
  `,
]

/**
 * A step that removes something belongs in `contractSteps`; a step that only adds does not change `oldestUsable`. A step that changes
 * existing columns or data must set `oldestUsable` to the current version.
 */
export const PLAN: SchemaPlan<string> = { version: MIGRATIONS.length, oldestUsable: 23, contractSteps: [] }
const NAMED = { store: 'database file', setting: 'DATABASE_URL to another file' }

/** Data migration steps that SQL cannot express, keyed by the schema version after the step. */
const DATA_STEPS: ReadonlyMap<number, (connection: Connection) => void> = new Map([[18, canonicaliseEmails]])

/**
 * Upgrades a file to the schema of this release. Several processes may run this function concurrently, because the transaction checks the
 * version again. Throws an `incompatible-store` Refusal if the file belongs to another program, or to a newer release whose schema this
 * release cannot use; such a file stays unchanged.
 */
export function migrate(connection: Connection): void {
  if (readVersion(connection) >= MIGRATIONS.length) return
  inTransaction(connection, 'BEGIN IMMEDIATE', () => {
    const before = versionOf(connection)
    if (before >= MIGRATIONS.length) return
    for (const [index, step] of MIGRATIONS.slice(before).entries()) {
      connection.exec(step)
      DATA_STEPS.get(before + index + 1)?.(connection)
    }
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}`)
    writeMark(connection, markFor(PLAN, readMark(connection, before).contracted))
  })
}

export function isEarlierSchema(version: Value | undefined): boolean {
  return Number(version) < MIGRATIONS.length
}

/** Throws an `incompatible-store` Refusal if the file has an earlier schema, and the same errors as `migrate`. */
export function assertCurrent(connection: Connection): void {
  assertUpgraded(readVersion(connection), MIGRATIONS.length, NAMED.store)
}

/** Returns the schema version, which is 0 for an empty file. Throws the same errors as `migrate`. */
export function readVersion(connection: Connection): number {
  return inTransaction(connection, 'BEGIN', () => versionOf(connection))
}

/** The three reads must see the same state: a file that is being created would otherwise look like a file of another program. */
export function versionOf(connection: Preparing): number {
  const version = Number(setting(connection, 'PRAGMA user_version'))
  if (Number(setting(connection, 'PRAGMA application_id')) !== APPLICATION_ID) {
    const tables = Number(setting(connection, 'SELECT count(*) FROM sqlite_schema'))
    if (version === 0 && tables === 0) return 0
    throw unusable('incompatible-store', FOREIGN)
  }
  if (version > MIGRATIONS.length) assertUsable(readMark(connection, version), MIGRATIONS.length, NAMED)
  return version
}

const MARK = 'schema'
export const META = 3
type Preparing = Pick<Connection, 'prepare'>

export function writeMark(connection: Connection, mark: SchemaMark): void {
  connection
    .prepare(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    )
    .run(MARK, JSON.stringify(mark))
}

/** Ignores a mark with a different version, because a release that writes no marks has changed the schema in the meantime. */
export function readMark(connection: Preparing, version: number): SchemaMark {
  if (version < META) return { version }
  const text = connection.prepare('SELECT value FROM meta WHERE key = ?').get(MARK)?.[0]
  const mark = text === undefined ? { version } : (JSON.parse(String(text)) as SchemaMark)
  return mark.version === version ? mark : { version }
}

export function setting(connection: Preparing, sql: string): Value | undefined {
  return connection.prepare(sql).get()?.[0]
}

import type { Email } from '../../domain/identity/email.js'
import {
  type AccountId,
  emailChanges,
  formerEmails,
  type FormerEmail,
  type StoredEmail,
} from '../../domain/identity/account.js'
import type { Connection } from './driver.js'

/** Selects the emails that are possibly not canonical; any other email is canonical already. */
const CANDIDATES = `
  SELECT id, email FROM accounts
  WHERE id > ? AND (email GLOB '*[^ -~]*' OR email LIKE '%xn--%' OR email LIKE '%.') ORDER BY id LIMIT 1000`

type EmailRow = readonly [id: AccountId, email: Email]

/** Gives accounts from an earlier release their canonical emails, within the transaction of the schema step. */
export function canonicaliseEmails(connection: Connection): void {
  const candidates = connection.prepare<EmailRow>(CANDIDATES)
  const former: FormerEmail[] = []
  for (let page = candidates.all(0); page.length > 0; page = candidates.all(page.at(-1)?.[0] ?? 0))
    former.push(...formerEmails(page.map(storedOf)))
  const holder = connection.prepare<EmailRow>('SELECT id, email FROM accounts WHERE email = ?')
  const canonical = [...new Set(former.map((one) => one.canonical))]
  const holders = canonical.flatMap((email) => holder.all(email).map(storedOf))
  const replace = connection.prepare('UPDATE accounts SET email = ?, entered_email = ? WHERE id = ?')
  const relist = connection.prepare('UPDATE memberships SET email = ? WHERE account_id = ?')
  const share = connection.prepare('UPDATE accounts SET shared_email = ? WHERE id = ?')
  for (const { kind, id, email, canonical } of emailChanges(former, holders)) {
    if (kind === 'share') share.run(canonical, id)
    else {
      replace.run(canonical, email, id)
      relist.run(canonical, id)
    }
  }
}

function storedOf([id, email]: EmailRow): StoredEmail {
  return { id, email }
}

/**
 * The schema steps of the releases up to 0.5.0; they never change.
 *
 * Sessions and projects refer to accounts without a foreign key: projects outlive the account that created them, and a session without an
 * account is inactive anyway, because IDs are never reused. Sessions are stored in opening order, so that a refresh rewrites the row in
 * place, which takes a third less time than moving the row in a table ordered by digest.
 */
export const RELEASED_STEPS: readonly string[] = [
  `
  CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, email TEXT NOT NULL UNIQUE, password_hash TEXT, epoch INTEGER NOT NULL,
    disabled_at INTEGER, created_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE roles (
    key TEXT NOT NULL PRIMARY KEY, uuid TEXT NOT NULL, label TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE memberships (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    role_key TEXT NOT NULL REFERENCES roles (key), PRIMARY KEY (account_id, role_key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE sessions (
    id TEXT NOT NULL PRIMARY KEY, account_id INTEGER NOT NULL, epoch INTEGER NOT NULL, created_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL, number INTEGER NOT NULL, pair_id TEXT NOT NULL, kid TEXT NOT NULL,
    issued_at INTEGER NOT NULL, key_digest TEXT NOT NULL UNIQUE, idle_ends_at INTEGER NOT NULL, previous_pair_id TEXT,
    previous_digest TEXT, previous_until INTEGER
  ) STRICT;
  CREATE INDEX sessions_by_previous_digest ON sessions (previous_digest) WHERE previous_digest IS NOT NULL;
  CREATE INDEX sessions_by_account ON sessions (account_id);
  CREATE INDEX sessions_by_end ON sessions (min(ends_at, idle_ends_at));

  CREATE TABLE pets (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, tag TEXT, category TEXT, revision INTEGER NOT NULL,
    traits TEXT CHECK (traits IS NULL OR json_valid(traits))
  ) STRICT;

  CREATE TABLE idempotency_keys (
    scope TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, pet_id INTEGER NOT NULL,
    until INTEGER NOT NULL, PRIMARY KEY (scope, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotency_keys_by_end ON idempotency_keys (until);

  CREATE TABLE api_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, digest TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL, revoked_at INTEGER
  ) STRICT;

  CREATE TABLE api_key_roles (
    api_key_id INTEGER NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    role_key TEXT NOT NULL REFERENCES roles (key), PRIMARY KEY (api_key_id, role_key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE projects (
    id INTEGER PRIMARY KEY AUTOINCREMENT, label TEXT NOT NULL, status TEXT NOT NULL, budget REAL NOT NULL,
    created_by INTEGER NOT NULL, created_at INTEGER NOT NULL
  ) STRICT;
  `,
  `
  DROP INDEX sessions_by_account;
  CREATE INDEX sessions_by_account ON sessions (account_id, created_at, id);
  `,
  `
  CREATE TABLE meta (
    key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE revocations (
    session_id TEXT NOT NULL PRIMARY KEY, until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX revocations_by_end ON revocations (until);
  `,
  // An audit record refers to at most two accounts. Most audit records are logins and logouts. The index on events omits these records,
  // which makes storing them 10 % cheaper.
  `
  ALTER TABLE accounts ADD COLUMN reset_digest TEXT;
  ALTER TABLE accounts ADD COLUMN reset_until INTEGER;
  ALTER TABLE accounts ADD COLUMN reset_epoch INTEGER;

  ALTER TABLE sessions ADD COLUMN actor_id INTEGER;
  ALTER TABLE sessions ADD COLUMN actor_email TEXT;
  ALTER TABLE sessions ADD COLUMN actor_epoch INTEGER;
  ALTER TABLE sessions ADD COLUMN actor_ends_at INTEGER;

  CREATE TABLE mail_jobs (
    id TEXT NOT NULL PRIMARY KEY, kind TEXT NOT NULL, email TEXT NOT NULL, asked_at INTEGER NOT NULL, address TEXT,
    request_id TEXT, attempts INTEGER NOT NULL, due_at INTEGER NOT NULL, claimed_until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE audit_records (
    id TEXT NOT NULL PRIMARY KEY, at INTEGER NOT NULL, event TEXT NOT NULL, actor TEXT NOT NULL, subject TEXT,
    address TEXT, request_id TEXT, outcome TEXT NOT NULL, account_id INTEGER, other_account_id INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX audit_records_by_account ON audit_records (account_id, id) WHERE account_id IS NOT NULL;
  CREATE INDEX audit_records_by_other_account ON audit_records (other_account_id, id)
    WHERE other_account_id IS NOT NULL;
  CREATE INDEX audit_records_by_event ON audit_records (event, id) WHERE event NOT IN ('login', 'logout');
  `,
  `
  ALTER TABLE audit_records ADD COLUMN count INTEGER;
  ALTER TABLE audit_records ADD COLUMN count_key TEXT;
  CREATE UNIQUE INDEX audit_records_by_count_key ON audit_records (count_key) WHERE count_key IS NOT NULL;
  `,
  `
  CREATE TABLE reset_offers (
    number INTEGER PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    mail_job_id TEXT NOT NULL, digest TEXT NOT NULL, until INTEGER NOT NULL, epoch INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX reset_offers_by_account ON reset_offers (account_id, number);
  INSERT INTO reset_offers (account_id, mail_job_id, digest, until, epoch)
    SELECT id, '', reset_digest, reset_until, reset_epoch FROM accounts WHERE reset_digest IS NOT NULL;
  ALTER TABLE accounts DROP COLUMN reset_digest;
  ALTER TABLE accounts DROP COLUMN reset_until;
  ALTER TABLE accounts DROP COLUMN reset_epoch;
  `,
  `
  ALTER TABLE sessions ADD COLUMN network TEXT;
  `,
  // Stores the digests of odd and even generations in separate columns: when the current digest becomes the previous digest, it stays in
  // its column, so a refresh changes only one index entry.
  `
  DROP INDEX sessions_by_previous_digest;
  DROP INDEX sessions_by_account;
  DROP INDEX sessions_by_end;
  ALTER TABLE sessions RENAME TO earlier_sessions;
  CREATE TABLE sessions (
    id TEXT NOT NULL PRIMARY KEY, account_id INTEGER NOT NULL, epoch INTEGER NOT NULL, created_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL, number INTEGER NOT NULL, pair_id TEXT NOT NULL, kid TEXT NOT NULL,
    issued_at INTEGER NOT NULL, idle_ends_at INTEGER NOT NULL, network TEXT, odd_digest TEXT, even_digest TEXT,
    previous_pair_id TEXT, previous_until INTEGER, purge_at INTEGER NOT NULL, actor_id INTEGER, actor_email TEXT,
    actor_epoch INTEGER, actor_ends_at INTEGER,
    CHECK (CASE number % 2 WHEN 1 THEN odd_digest ELSE even_digest END IS NOT NULL)
  ) STRICT;
  INSERT INTO sessions
    SELECT
      id, account_id, epoch, created_at, ends_at, number, pair_id, kid, issued_at, idle_ends_at, network,
      CASE number % 2 WHEN 1 THEN key_digest ELSE previous_digest END,
      CASE number % 2 WHEN 1 THEN previous_digest ELSE key_digest END,
      previous_pair_id, previous_until, min(ends_at, idle_ends_at),
      actor_id, actor_email, actor_epoch, actor_ends_at
    FROM earlier_sessions ORDER BY rowid;
  DROP TABLE earlier_sessions;
  CREATE UNIQUE INDEX sessions_by_odd_digest ON sessions (odd_digest) WHERE odd_digest IS NOT NULL;
  CREATE UNIQUE INDEX sessions_by_even_digest ON sessions (even_digest) WHERE even_digest IS NOT NULL;
  CREATE INDEX sessions_by_account ON sessions (account_id, created_at, id);
  CREATE INDEX sessions_by_purge ON sessions (purge_at);
  `,
]

/** The tables of the first release. These statements must never change, because files of that release are in use. */
const VERSION_1 = `
  CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    email TEXT NOT NULL UNIQUE,
    password_hash TEXT,
    epoch INTEGER NOT NULL,
    disabled_at INTEGER,
    created_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE roles (
    key TEXT NOT NULL PRIMARY KEY,
    uuid TEXT NOT NULL,
    label TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE memberships (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    role_key TEXT NOT NULL REFERENCES roles (key),
    PRIMARY KEY (account_id, role_key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE sessions (
    id TEXT NOT NULL PRIMARY KEY,
    account_id INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    number INTEGER NOT NULL,
    pair_id TEXT NOT NULL,
    kid TEXT NOT NULL,
    issued_at INTEGER NOT NULL,
    key_digest TEXT NOT NULL UNIQUE,
    idle_ends_at INTEGER NOT NULL,
    previous_pair_id TEXT,
    previous_digest TEXT,
    previous_until INTEGER
  ) STRICT;
  CREATE INDEX sessions_by_previous_digest ON sessions (previous_digest) WHERE previous_digest IS NOT NULL;
  CREATE INDEX sessions_by_account ON sessions (account_id);
  CREATE INDEX sessions_by_end ON sessions (min(ends_at, idle_ends_at));

  CREATE TABLE pets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    tag TEXT,
    category TEXT,
    revision INTEGER NOT NULL,
    traits TEXT CHECK (traits IS NULL OR json_valid(traits))
  ) STRICT;

  CREATE TABLE idempotency_keys (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    pet_id INTEGER NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (scope, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotency_keys_by_end ON idempotency_keys (until);

  CREATE TABLE api_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
  ) STRICT;

  CREATE TABLE api_key_roles (
    api_key_id INTEGER NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    role_key TEXT NOT NULL REFERENCES roles (key),
    PRIMARY KEY (api_key_id, role_key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE projects (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    label TEXT NOT NULL,
    status TEXT NOT NULL,
    budget REAL NOT NULL,
    created_by INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;

  PRAGMA application_id = 1263423052;
  PRAGMA user_version = 1;
`

/** An account with a role and three sessions (one of them refreshed), a pet, an API key and a project. */
const ROWS = `
  INSERT INTO accounts VALUES (1, 'gone@example.org', NULL, 1, NULL, 1), (2, 'ann@example.org', 'hash', 3, NULL, 2);
  DELETE FROM accounts WHERE id = 1;
  INSERT INTO accounts VALUES (3, 'bob@example.org', NULL, 2, 99, 3);
  INSERT INTO roles VALUES ('editor', 'uuid', 'Editor');
  INSERT INTO memberships VALUES (2, 'editor');
  INSERT INTO sessions VALUES
    ('c', 2, 3, 20, 1000, 1, 'pair c', 'kid', 20, 'digest c', 900, NULL, NULL, NULL),
    ('b', 2, 3, 10, 1000, 2, 'pair b', 'kid', 30, 'digest b', 900, 'previous pair', 'previous digest', 40),
    ('a', 2, 3, 20, 1000, 1, 'pair a', 'kid', 20, 'digest a', 900, NULL, NULL, NULL);
  INSERT INTO pets VALUES (1, 'Rex', NULL, NULL, 1, NULL);
  INSERT INTO idempotency_keys VALUES ('account:2', 'key', 'fingerprint', 1, 500);
  INSERT INTO api_keys VALUES (1, 'ci', 'api digest', 5, NULL);
  INSERT INTO api_key_roles VALUES (1, 'editor');
  INSERT INTO projects VALUES (1, 'House', 'planned', 1.5, 2, 6);
`

/** Turns an empty file into a file of schema version 1, as the first release wrote it. */
export const VERSION_1_FILE = `PRAGMA journal_mode = WAL; ${VERSION_1} ${ROWS}`

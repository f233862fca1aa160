-- Your table, as it is. Kennel reads and writes email, password_hash and created_at, and makes and deletes rows with accounts.
CREATE TABLE IF NOT EXISTS users (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  name TEXT,
  password_hash TEXT,
  created_at INTEGER NOT NULL
);

-- The number that each user has in Kennel, and what Kennel keeps of an account. AUTOINCREMENT gives no number twice.
CREATE TABLE IF NOT EXISTS kennel_accounts (
  account_id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  epoch INTEGER NOT NULL DEFAULT 1,
  disabled_at INTEGER,
  -- The email as it was entered, if it differs from the canonical email in your table.
  entered_email TEXT
);

-- Users who are there already get theirs now, and those that your own program adds as soon as they are added.
INSERT INTO kennel_accounts (user_id)
  SELECT id FROM users WHERE id NOT IN (SELECT user_id FROM kennel_accounts) ORDER BY created_at, id;
CREATE TRIGGER IF NOT EXISTS kennel_account_of_new_user AFTER INSERT ON users BEGIN
  INSERT INTO kennel_accounts (user_id) VALUES (new.id);
END;

CREATE TABLE IF NOT EXISTS kennel_roles (key TEXT PRIMARY KEY, uuid TEXT NOT NULL, label TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS kennel_memberships (
  account_id INTEGER NOT NULL REFERENCES kennel_accounts (account_id) ON DELETE CASCADE,
  role_key TEXT NOT NULL REFERENCES kennel_roles (key),
  PRIMARY KEY (account_id, role_key)
);

-- Proofs of email addresses, such as for a password reset; they contain only digests of the mailed links.
CREATE TABLE IF NOT EXISTS kennel_proofs (
  id TEXT PRIMARY KEY,
  purpose TEXT NOT NULL,
  account_id INTEGER REFERENCES kennel_accounts (account_id) ON DELETE CASCADE,
  epoch INTEGER,
  until INTEGER NOT NULL,
  binding TEXT,
  digest TEXT,
  proof TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS kennel_proofs_by_digest ON kennel_proofs (digest);
CREATE INDEX IF NOT EXISTS kennel_proofs_by_binding ON kennel_proofs (binding);
CREATE INDEX IF NOT EXISTS kennel_proofs_of_account ON kennel_proofs (account_id, purpose, id);
CREATE INDEX IF NOT EXISTS kennel_proofs_by_purpose ON kennel_proofs (purpose, id);
CREATE INDEX IF NOT EXISTS kennel_proofs_by_end ON kennel_proofs (until);

-- Also where the program that deletes a user has not set PRAGMA foreign_keys: the next one of that id must inherit nothing.
CREATE TRIGGER IF NOT EXISTS kennel_account_of_deleted_user AFTER DELETE ON users BEGIN
  DELETE FROM kennel_proofs WHERE account_id = (SELECT account_id FROM kennel_accounts WHERE user_id = old.id);
  DELETE FROM kennel_memberships WHERE account_id = (SELECT account_id FROM kennel_accounts WHERE user_id = old.id);
  DELETE FROM kennel_accounts WHERE user_id = old.id;
END;

-- Without a reference: a login that races the removal of its account is dead, and no error.
CREATE TABLE IF NOT EXISTS kennel_sessions (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL,
  key_digest TEXT NOT NULL,
  previous_digest TEXT,
  created_at INTEGER NOT NULL,
  over_at INTEGER NOT NULL,
  session TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS kennel_sessions_by_key ON kennel_sessions (key_digest);
CREATE INDEX IF NOT EXISTS kennel_sessions_by_previous_key ON kennel_sessions (previous_digest);
CREATE INDEX IF NOT EXISTS kennel_sessions_of_account ON kennel_sessions (account_id, created_at, id);
CREATE INDEX IF NOT EXISTS kennel_sessions_by_end ON kennel_sessions (over_at);
CREATE INDEX IF NOT EXISTS kennel_sessions_of_actor ON kennel_sessions (json_extract(session, '$.actor.accountId'))
  WHERE json_extract(session, '$.actor.accountId') IS NOT NULL;

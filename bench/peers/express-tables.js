import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Store } from 'express-session'

const REFRESH_MILLISECONDS = 7 * 86_400_000
const TABLES = `
  CREATE TABLE IF NOT EXISTS users (
    id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, role TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS sessions (
    sid TEXT PRIMARY KEY, content TEXT NOT NULL, expires INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS refresh_tokens (
    digest BLOB PRIMARY KEY, family TEXT NOT NULL, user_id INTEGER NOT NULL REFERENCES users,
    expires INTEGER NOT NULL, used INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS families ON refresh_tokens (family)`

export function createTables(database) {
  database.exec(TABLES)
}

export function createUsers(database) {
  const byId = database.prepare('SELECT id, email, role FROM users WHERE id = ?')
  const byEmail = database.prepare('SELECT id, email, role, hash FROM users WHERE email = ?')
  const insert = database.prepare('INSERT INTO users (email, role, hash) VALUES (?, ?, ?)')
  return {
    byId: (id) => byId.get(id),
    byEmail: (email) => byEmail.get(email),
    insert: (email, role, hash) => ({
      id: Number(insert.run(email, role, hash).lastInsertRowid),
      email,
      role,
    }),
  }
}

/**
 * The store that express-session needs, with statements prepared once. It has no `touch`, which would turn every
 * request of a logged-in user into a write.
 */
export function createSessionStore(database) {
  const get = database.prepare('SELECT content FROM sessions WHERE sid = ? AND expires > ?')
  const set = database.prepare('INSERT OR REPLACE INTO sessions (sid, content, expires) VALUES (?, ?, ?)')
  const destroy = database.prepare('DELETE FROM sessions WHERE sid = ?')
  return Object.assign(new Store(), {
    get: answering((sid) => {
      const row = get.get(sid, Date.now())
      return row && JSON.parse(row.content)
    }),
    set: answering((sid, session) => {
      set.run(sid, JSON.stringify(session), new Date(session.cookie.expires).getTime())
    }),
    destroy: answering((sid) => {
      destroy.run(sid)
    }),
  })
}

/** Wraps a function that returns or throws into a function with a callback. */
function answering(work) {
  return (...args) => {
    const callback = args.pop()
    try {
      const result = work(...args)
      callback?.(null, result)
    } catch (error) {
      callback?.(error)
    }
  }
}

/** Each token can be used once; a replay ends its whole family. The table has only digests. */
export function createRefreshTokens(database) {
  const find = database.prepare('SELECT family, user_id, expires, used FROM refresh_tokens WHERE digest = ?')
  const use = database.prepare('UPDATE refresh_tokens SET used = 1 WHERE digest = ?')
  const insert = database.prepare(
    'INSERT INTO refresh_tokens (digest, family, user_id, expires) VALUES (?, ?, ?, ?)',
  )
  const revoke = database.prepare('DELETE FROM refresh_tokens WHERE family = ?')

  function issue(userId, family = randomUUID()) {
    const token = randomBytes(32).toString('base64url')
    insert.run(digestOf(token), family, userId, Date.now() + REFRESH_MILLISECONDS)
    return token
  }

  /** The user and the next token, in one transaction; undefined if the token is unknown, expired or used. */
  function rotate(token) {
    const digest = digestOf(token)
    const row = find.get(digest)
    if (!row || row.expires <= Date.now()) return undefined
    if (row.used) {
      revoke.run(row.family)
      return undefined
    }
    use.run(digest)
    return { userId: row.user_id, token: issue(row.user_id, row.family) }
  }

  return { issue, rotate: (token) => inOneCommit(database, () => rotate(String(token))) }
}

function inOneCommit(database, work) {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

function digestOf(token) {
  return createHash('sha256').update(token).digest()
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS accounts (
    id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, role TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS artifacts (
    model TEXT NOT NULL, id TEXT NOT NULL, payload TEXT NOT NULL, consumed INTEGER, expires INTEGER,
    permission TEXT, uid TEXT, user_code TEXT, PRIMARY KEY (model, id)) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS permissions ON artifacts (permission) WHERE permission IS NOT NULL;
  CREATE INDEX IF NOT EXISTS uids ON artifacts (uid) WHERE uid IS NOT NULL;
  CREATE INDEX IF NOT EXISTS user_codes ON artifacts (user_code) WHERE user_code IS NOT NULL`

export function createTables(database) {
  database.exec(TABLES)
}

export function createAccounts(database) {
  const byId = database.prepare('SELECT id, email, role FROM accounts WHERE id = ?')
  const insert = database.prepare('INSERT INTO accounts (email, role) VALUES (?, ?)')
  return {
    byId: (id) => byId.get(Number(id)),
    insert: (email, role) => String(insert.run(email, role).lastInsertRowid),
  }
}

const epochSeconds = () => Math.floor(Date.now() / 1000)

/** The storage that oidc-provider asks for, one row for each of its artifacts, its statements prepared once. */
export function createAdapterFactory(database) {
  const find = (column) =>
    database.prepare(
      `SELECT payload, consumed FROM artifacts WHERE model = ? AND ${column} = ? AND (expires IS NULL OR expires > ?)`,
    )
  const by = { id: find('id'), uid: find('uid'), userCode: find('user_code') }
  const upsert = database.prepare(`
    INSERT OR REPLACE INTO artifacts (model, id, payload, expires, permission, uid, user_code)
    VALUES (?, ?, ?, ?, ?, ?, ?)`)
  const consume = database.prepare('UPDATE artifacts SET consumed = ? WHERE model = ? AND id = ?')
  const destroy = database.prepare('DELETE FROM artifacts WHERE model = ? AND id = ?')
  const revoke = database.prepare('DELETE FROM artifacts WHERE permission = ?')

  return (model) => {
    const read = (statement, value) => {
      const row = statement.get(model, value, epochSeconds())
      return row && { ...JSON.parse(row.payload), ...(row.consumed !== null && { consumed: row.consumed }) }
    }
    return {
      find: async (id) => read(by.id, id),
      findByUid: async (uid) => read(by.uid, uid),
      findByUserCode: async (userCode) => read(by.userCode, userCode),
      upsert: async (id, payload, expiresIn) => {
        const expires = expiresIn === undefined ? null : epochSeconds() + expiresIn
        const { grantId = null, uid = null, userCode = null } = payload
        upsert.run(model, id, JSON.stringify(payload), expires, grantId, uid, userCode)
      },
      consume: async (id) => {
        consume.run(epochSeconds(), model, id)
      },
      destroy: async (id) => {
        destroy.run(model, id)
      },
      revokeByGrantId: async (grantId) => {
        revoke.run(grantId)
      },
    }
  }
}

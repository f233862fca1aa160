import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sign as signCookie } from 'cookie-signature'
import express from 'express'
import session, { Store } from 'express-session'
import { Passport } from 'passport'
import { openDatabase, seedAll } from './database.js'

const COOKIE = { secure: true, httpOnly: true, sameSite: 'lax', maxAge: 30 * 86_400_000 }
const TABLES = `
  CREATE TABLE IF NOT EXISTS users (
    id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, role TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS sessions (
    sid TEXT PRIMARY KEY, content TEXT NOT NULL, expires INTEGER NOT NULL) STRICT, WITHOUT ROWID`

/** Passport and express-session, combined as their documentation shows. */
export async function open({ folder, secret }) {
  const database = await openDatabase(join(folder, 'express-stack.db'))
  database.exec(TABLES)
  const userById = database.prepare('SELECT id, email, role FROM users WHERE id = ?')
  const insert = database.prepare('INSERT INTO users (email, role) VALUES (?, ?)')
  const store = createSessionStore(database)
  const save = promisify(store.set)

  /** Creates an account with an active login for each email. */
  const seed = (emails) =>
    seedAll(database, emails, async (email) => {
      const user = Number(insert.run(email, 'editor').lastInsertRowid)
      const sid = randomBytes(24).toString('base64url')
      const expires = new Date(Date.now() + COOKIE.maxAge)
      await save(sid, { cookie: { ...COOKIE, originalMaxAge: COOKIE.maxAge, expires }, passport: { user } })
      return { cookie: `sid=${encodeURIComponent(`s:${signCookie(sid, secret)}`)}` }
    })

  const passport = new Passport()
  // Looks up the user for each request, so that changed and deleted users take effect immediately.
  passport.deserializeUser((id, done) => done(null, userById.get(id) ?? false))
  const app = express()
  app.disable('x-powered-by')
  // The identity must not be cached, so an ETag would be useless.
  app.disable('etag')
  app.set('trust proxy', 1)
  const options = { name: 'sid', secret, store, cookie: COOKIE, resave: false, saveUninitialized: false }
  app.use(session(options), passport.session())
  app.get('/me', (request, response) => {
    if (request.isAuthenticated()) response.json({ user: request.user })
    else response.sendStatus(401)
  })
  return { listener: app, seed }
}

/**
 * Creates a store for express-session, with statements that are prepared once. The store has no `touch` method, because
 * `touch` would turn every request of a logged-in user into a write.
 */
function createSessionStore(database) {
  const get = database.prepare('SELECT content FROM sessions WHERE sid = ? AND expires > ?')
  const set = database.prepare('INSERT OR REPLACE INTO sessions (sid, content, expires) VALUES (?, ?, ?)')
  return Object.assign(new Store(), {
    get: (sid, done) => {
      const row = get.get(sid, Date.now())
      done(null, row && JSON.parse(row.content))
    },
    set: (sid, content, done) => {
      set.run(sid, JSON.stringify(content), new Date(content.cookie.expires).getTime())
      done?.(null)
    },
  })
}

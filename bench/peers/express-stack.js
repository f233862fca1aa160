import { createSecretKey, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sign as signCookie } from 'cookie-signature'
import express from 'express'
import session from 'express-session'
import jwt from 'jsonwebtoken'
import { Passport } from 'passport'
import { Strategy as LocalStrategy } from 'passport-local'
import { inTransaction, openDatabase } from './database.js'
import { createRefreshTokens, createSessionStore, createTables, createUsers } from './express-tables.js'
import { hashPassword as hashOfItsOwn, verifyPassword } from './password.js'

const ALGORITHM = 'HS512'
const ACCESS_SECONDS = 15 * 60
const COOKIE = { secure: true, httpOnly: true, sameSite: 'lax', maxAge: 30 * 86_400_000 }

/** Passport and express-session for the cookie, jsonwebtoken for the bearer token, combined as their pages show. */
export async function open({ folder, publicUrl, secret, hashPassword = hashOfItsOwn }) {
  const database = await openDatabase(join(folder, 'express-stack.db'))
  createTables(database)
  const users = createUsers(database)
  const sessions = createSessionStore(database)
  const refreshTokens = createRefreshTokens(database)
  const accessTokens = createAccessTokens(publicUrl, secret)
  const listener = createApp({ users, sessions, refreshTokens, accessTokens, secret })

  /** The state after the login of each account, without the check of its password. */
  async function seed(emails, password) {
    const hash = await hashPassword(password)
    const save = promisify(sessions.set)
    return await inTransaction(database, async () => {
      const clients = []
      for (const email of emails) {
        const user = users.insert(email, 'editor', hash)
        const sid = randomBytes(24).toString('base64url')
        const cookie = {
          ...COOKIE,
          originalMaxAge: COOKIE.maxAge,
          expires: new Date(Date.now() + COOKIE.maxAge),
        }
        await save(sid, { cookie, passport: { user: user.id } })
        clients.push({
          email,
          cookie: `sid=${encodeURIComponent(`s:${signCookie(sid, secret)}`)}`,
          accessToken: accessTokens.sign(user),
          refreshToken: refreshTokens.issue(user.id),
        })
      }
      return clients
    })
  }

  return { listener, seed }
}

function createApp({ users, sessions, refreshTokens, accessTokens, secret }) {
  const app = express()
  app.disable('x-powered-by')
  // The identity must not be cached, so an ETag would be useless.
  app.disable('etag')
  app.set('trust proxy', 1)
  const readBody = express.json()

  app.get('/token/me', (request, response) => {
    const user = accessTokens.verify(request.get('authorization'))
    if (user) response.json({ user })
    else response.sendStatus(401)
  })
  app.post('/refresh', readBody, (request, response) => {
    const rotated = refreshTokens.rotate(request.body?.refreshToken)
    const user = rotated && users.byId(rotated.userId)
    if (user) response.json({ user, accessToken: accessTokens.sign(user), refreshToken: rotated.token })
    else response.sendStatus(401)
  })

  const passport = createPassport(users)
  const options = {
    name: 'sid',
    secret,
    store: sessions,
    cookie: COOKIE,
    resave: false,
    saveUninitialized: false,
  }
  app.use(session(options), passport.session())
  app.get('/me', (request, response) => {
    if (request.isAuthenticated()) response.json({ user: request.user })
    else response.sendStatus(401)
  })
  app.post('/login', readBody, passport.authenticate('local'), ({ user }, response) => {
    const refreshToken = refreshTokens.issue(user.id)
    response.json({ user, accessToken: accessTokens.sign(user), refreshToken })
  })
  return app
}

/** Looks up the user for each request, so that changed and deleted users take effect immediately. */
function createPassport(users) {
  const passport = new Passport()
  const checked = async (email, password) => {
    const { hash, ...user } = users.byEmail(email) ?? {}
    return hash !== undefined && (await verifyPassword(password, hash)) && user
  }
  passport.use(
    new LocalStrategy({ usernameField: 'email' }, (email, password, done) => {
      checked(email, password).then((user) => done(null, user), done)
    }),
  )
  passport.serializeUser((user, done) => done(null, user.id))
  passport.deserializeUser((id, done) => done(null, users.byId(id) ?? false))
  return passport
}

function createAccessTokens(publicUrl, secret) {
  const key = createSecretKey(Buffer.from(secret, 'base64url'))
  const common = { issuer: publicUrl, audience: publicUrl }
  return {
    sign: ({ id, email, role }) =>
      jwt.sign({ email, role }, key, {
        ...common,
        algorithm: ALGORITHM,
        expiresIn: ACCESS_SECONDS,
        subject: String(id),
      }),
    /** The user of a valid bearer token. */
    verify: (authorization = '') => {
      const [scheme, token] = authorization.split(' ')
      if (scheme !== 'Bearer') return undefined
      try {
        const { sub, email, role } = jwt.verify(token, key, { ...common, algorithms: [ALGORITHM] })
        return { id: Number(sub), email, role }
      } catch {
        return undefined
      }
    },
  }
}

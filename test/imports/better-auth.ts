import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DatabaseSync } from '@photostructure/sqlite'
import { TOTP, URI } from 'otpauth'
import type { PreviousAccount, PreviousSystem } from './accounts.js'

type Call<Body, Result> = (call: { body: Body; headers?: Headers }) => Promise<Result>

/** The `auth.api` calls that create accounts, with the plugins `admin` and `twoFactor`. */
type Auth = {
  readonly options: object
  readonly api: {
    readonly createUser: Call<object, { readonly user: { readonly id: string } }>
    readonly signInEmail: (call: object) => Promise<{ readonly headers: Headers }>
    readonly enableTwoFactor: Call<{ password: string }, { readonly totpURI: string }>
    readonly verifyTOTP: Call<{ code: string }, unknown>
  }
}
type Modules = {
  readonly betterAuth: (options: object) => Auth
  readonly getMigrations: (options: object) => Promise<{ runMigrations(): Promise<void> }>
  readonly symmetricDecrypt: (given: { key: string; data: string }) => Promise<string>
  readonly createOTP: (secret: string) => { url(issuer: string, account: string): string }
  readonly admin: () => object
  readonly twoFactor: () => object
  readonly NodeSqliteDialect: new (options: { database: object }) => object
}

type Row = { readonly email: string; readonly totp_secret: string | null }

const SECRET = 'a secret of Better Auth for one run'

/** The documented export: one query that reads the core tables and the tables of the plugins `admin` and `twoFactor`. */
const EXPORT = `SELECT u.id, u.email, u.role, u.banned, a.password, t.secret AS totp_secret
  FROM user u
  LEFT JOIN account a ON a.userId = u.id AND a.providerId = 'credential'
  LEFT JOIN twoFactor t ON t.userId = u.id AND u.twoFactorEnabled`

/** The packages `better-auth` and `@better-auth/kysely-adapter` in a folder, with SQLite. */
export const betterAuth: PreviousSystem = async (path, folder, accounts) => {
  const modules = await load(path)
  const database = new DatabaseSync(join(folder, 'better-auth.db'))
  const auth = modules.betterAuth({
    baseURL: 'http://127.0.0.1:3000',
    secret: SECRET,
    database: { dialect: new modules.NodeSqliteDialect({ database }), type: 'sqlite' },
    emailAndPassword: { enabled: true },
    plugins: [modules.admin(), modules.twoFactor()],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
  })
  await (await modules.getMigrations(auth.options)).runMigrations()
  const factors = new Map<string, TOTP>()
  for (const account of accounts) {
    const factor = await create(auth, account)
    if (factor) factors.set(account.email, factor)
  }
  const ban = database.prepare('UPDATE user SET banned = 1 WHERE email = ?')
  for (const { email } of accounts.filter(({ disabled }) => disabled)) ban.run(email)
  const rows = database.prepare(EXPORT).all() as Row[]
  database.close()
  const file = join(folder, 'users.json')
  await writeFile(file, JSON.stringify(await Promise.all(rows.map((row) => decrypted(modules, row)))))
  return { file, accounts, factors }
}

/** Better Auth encrypts the secrets of second factors, so the export contains the URI that an authenticator app scans. */
async function decrypted({ symmetricDecrypt, createOTP }: Modules, { totp_secret: data, ...row }: Row) {
  if (data === null) return row
  const secret = await symmetricDecrypt({ key: SECRET, data })
  return { ...row, totp_uri: createOTP(secret).url('Better Auth', row.email) }
}

async function create({ api }: Auth, account: PreviousAccount): Promise<TOTP | undefined> {
  const { email, password, roles, hasFactor } = account
  const role = roles.length > 0 ? [...roles] : undefined
  await api.createUser({ body: { email, password, name: email, role } })
  if (!hasFactor) return undefined
  const signedIn = await api.signInEmail({ body: { email, password }, returnHeaders: true })
  const cookies = signedIn.headers.getSetCookie().map((line) => line.split(';')[0])
  const headers = new Headers({ cookie: cookies.join('; ') })
  const factor = URI.parse((await api.enableTwoFactor({ body: { password }, headers })).totpURI)
  if (!(factor instanceof TOTP)) throw new Error('Better Auth did not create a TOTP secret')
  await api.verifyTOTP({ body: { code: factor.generate() }, headers })
  return factor
}

async function load(path: string): Promise<Modules> {
  const { resolve } = createRequire(join(path, 'package.json'))
  const names = ['', '/plugins', '/db/migration', '/crypto'].map((entry) => `better-auth${entry}`)
  const all = [...names, '@better-auth/utils/otp', '@better-auth/kysely-adapter/node-sqlite-dialect'].map(
    (name) => import(pathToFileURL(resolve(name)).href) as Promise<Partial<Modules>>,
  )
  return Object.assign({}, ...(await Promise.all(all))) as Modules
}

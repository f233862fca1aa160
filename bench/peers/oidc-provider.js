import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { Provider } from 'oidc-provider'
import { openDatabase, seedAll } from './database.js'

const CLIENT = 'app'
const SCOPE = 'openid email offline_access'
const ALGORITHM = 'ES256'
const TABLES = `
  CREATE TABLE IF NOT EXISTS accounts (
    id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, role TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS artifacts (
    model TEXT NOT NULL, id TEXT NOT NULL, payload TEXT NOT NULL, expires INTEGER,
    PRIMARY KEY (model, id)) STRICT, WITHOUT ROWID`

/**
 * oidc-provider on Node's own server, with one public client. The login page of the host is omitted; the tokens that would follow it are
 * created directly.
 */
export async function open({ folder, publicUrl, secret }) {
  const database = await openDatabase(join(folder, 'oidc-provider.db'))
  database.exec(TABLES)
  const accountById = database.prepare('SELECT id, email, role FROM accounts WHERE id = ?')
  const insert = database.prepare('INSERT INTO accounts (email, role) VALUES (?, ?)')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const provider = new Provider(publicUrl, {
    adapter: createAdapterFactory(database),
    clients: [
      {
        client_id: CLIENT,
        redirect_uris: [`${publicUrl}/callback`],
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
        application_type: 'web',
        id_token_signed_response_alg: ALGORITHM,
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'role'] },
    cookies: { keys: [secret] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, id) => {
      const account = accountById.get(Number(id))
      return account && { accountId: id, claims: () => ({ ...account, sub: id }) }
    },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: ALGORITHM, use: 'sig' }] },
    ttl: { AccessToken: 15 * 60, Grant: 30 * 86_400 },
  })
  provider.proxy = true

  async function seed(emails) {
    const client = await provider.Client.find(CLIENT)
    return await seedAll(database, emails, async (email) => {
      const accountId = String(insert.run(email, 'editor').lastInsertRowid)
      const permission = new provider.Grant({ accountId, clientId: CLIENT })
      permission.addOIDCScope(SCOPE)
      const grantId = await permission.save()
      const token = { accountId, client, grantId, scope: SCOPE, gty: 'authorization_code' }
      const accessToken = await new provider.AccessToken(token).save()
      return { accessToken }
    })
  }

  return { listener: provider.callback(), seed }
}

const epochSeconds = () => Math.floor(Date.now() / 1000)

/**
 * Creates the storage adapter, with only the methods that this server uses: one row per artifact, and prepared
 * statements.
 */
function createAdapterFactory(database) {
  const find = database.prepare(
    'SELECT payload FROM artifacts WHERE model = ? AND id = ? AND (expires IS NULL OR expires > ?)',
  )
  const upsert = database.prepare(
    'INSERT OR REPLACE INTO artifacts (model, id, payload, expires) VALUES (?, ?, ?, ?)',
  )
  return (model) => ({
    find: async (id) => {
      const row = find.get(model, id, epochSeconds())
      return row && JSON.parse(row.payload)
    },
    upsert: async (id, payload, expiresIn) => {
      const expires = expiresIn === undefined ? null : epochSeconds() + expiresIn
      upsert.run(model, id, JSON.stringify(payload), expires)
    },
  })
}

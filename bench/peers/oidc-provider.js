import { generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Provider } from 'oidc-provider'
import { inTransaction, openDatabase } from './database.js'
import { createAccounts, createAdapterFactory, createTables } from './oidc-tables.js'

const CLIENT = 'app'
const SCOPE = 'openid email offline_access'
const ALGORITHM = 'ES256'

/**
 * oidc-provider on Node's own server, with one public client. The login page of the host is omitted: the tokens after
 * it are created directly.
 */
export async function open({ folder, publicUrl, secret }) {
  const database = await openDatabase(join(folder, 'oidc-provider.db'))
  createTables(database)
  const accounts = createAccounts(database)
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
      const account = accounts.byId(id)
      return account && { accountId: id, claims: () => ({ ...account, sub: id }) }
    },
    jwks: { keys: [signingKey(join(folder, 'oidc-provider.jwk'))] },
    rotateRefreshToken: true,
    ttl: { AccessToken: 15 * 60, RefreshToken: 7 * 86_400, IdToken: 15 * 60, Grant: 30 * 86_400 },
  })
  provider.proxy = true

  async function seed(emails) {
    const client = await provider.Client.find(CLIENT)
    return await inTransaction(database, async () => {
      const clients = []
      for (const email of emails) {
        const accountId = accounts.insert(email, 'editor')
        const permission = new provider.Grant({ accountId, clientId: CLIENT })
        permission.addOIDCScope(SCOPE)
        const grantId = await permission.save()
        const common = { accountId, client, grantId, scope: SCOPE, gty: 'authorization_code' }
        const accessToken = await new provider.AccessToken(common).save()
        const refreshToken = await new provider.RefreshToken(common).save()
        clients.push({ email, accessToken, refreshToken })
      }
      return clients
    })
  }

  return { listener: provider.callback(), seed }
}

/** Created at the first start; an operator would keep it. */
function signingKey(file) {
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    writeFileSync(
      file,
      JSON.stringify({ ...privateKey.export({ format: 'jwk' }), alg: ALGORITHM, use: 'sig' }),
    )
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}

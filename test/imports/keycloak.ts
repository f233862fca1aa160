import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import type { PreviousAccount, PreviousSystem } from './accounts.js'
import { call, createBrowser } from './http.js'
import { runProgram, withServer } from './programs.js'

const PORT = 18_180
const ORIGIN = `http://127.0.0.1:${PORT}`
const REALM = `${ORIGIN}/realms/kennel`
const ADMIN_REALM = `${ORIGIN}/admin/realms/kennel`
/** The address to which Keycloak redirects an owner after a login; no server listens there. */
const DONE = `${ORIGIN}/done`
const ADMIN = { username: 'admin', password: 'the administrator of one run' }

/** Each quarter of the accounts is created with a different policy for passwords and second factors. */
const POLICIES = [
  { hash: '', algorithm: 'SHA1', digits: 6, period: 30 },
  { hash: 'hashAlgorithm(pbkdf2-sha256)', algorithm: 'SHA256', digits: 8, period: 30 },
  { hash: 'hashAlgorithm(pbkdf2-sha512)', algorithm: 'SHA512', digits: 6, period: 60 },
  { hash: 'hashAlgorithm(argon2) and hashIterations(3)', algorithm: 'SHA512', digits: 8, period: 60 },
] as const
type Policy = (typeof POLICIES)[number]

export const keycloak: PreviousSystem = async (path, folder, accounts) => {
  const program = join(path, 'bin', 'kc.sh')
  const env = {
    KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username,
    KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    KC_DB: 'dev-file',
    KC_DB_URL: `jdbc:h2:file:${join(folder, 'keycloak')};NON_KEYWORDS=VALUE`,
  }
  const factors = new Map<string, TOTP>()
  const command = [program, 'start-dev', '--http-host=127.0.0.1', `--http-port=${PORT}`]
  await withServer(command, { env, ready: `${ORIGIN}/realms/master` }, async () => {
    await administer('POST', `${ORIGIN}/admin/realms`, {
      realm: 'kennel',
      enabled: true,
      roles: { realm: [{ name: 'editor' }, { name: 'walker' }] },
      clients: [{ clientId: 'verify', publicClient: true, redirectUris: [DONE] }],
    })
    for (const [index, policy] of POLICIES.entries()) {
      const quarter = accounts.filter((_, at) => at % POLICIES.length === index)
      await createAll(quarter, policy)
      for (const account of quarter)
        if (account.hasFactor) factors.set(account.email, await setUpFactor(account, policy))
    }
  })
  await runProgram(program, ['export', '--realm=kennel', '--users=realm_file', `--dir=${folder}`], env)
  return { file: join(folder, 'kennel-realm.json'), accounts, factors }
}

async function createAll(accounts: readonly PreviousAccount[], policy: Policy): Promise<void> {
  await administer('PUT', ADMIN_REALM, {
    passwordPolicy: policy.hash,
    otpPolicyType: 'totp',
    otpPolicyAlgorithm: `Hmac${policy.algorithm}`,
    otpPolicyDigits: policy.digits,
    otpPolicyPeriod: policy.period,
  })
  const users = accounts.map(({ email, password, roles, disabled, hasFactor }) => ({
    ...{ username: email, email, emailVerified: true, firstName: 'An', lastName: 'Owner' },
    enabled: !disabled,
    realmRoles: roles,
    credentials: [{ type: 'password', value: password }],
    requiredActions: hasFactor ? ['CONFIGURE_TOTP'] : [],
  }))
  await administer('POST', `${ADMIN_REALM}/partialImport`, { ifResourceExists: 'FAIL', users })
}

/** Each call gets a new token, because a token is valid for a minute. */
async function administer(method: string, url: string, body: object): Promise<void> {
  const form = new URLSearchParams({ client_id: 'admin-cli', grant_type: 'password', ...ADMIN })
  const issued = await call('POST', `${ORIGIN}/realms/master/protocol/openid-connect/token`, form)
  const { access_token: token } = issued as { access_token: string }
  await call(method, url, body, { Authorization: `Bearer ${token}` })
}

/** Logs in on Keycloak's pages as the owner does, and confirms the secret that Keycloak shows. */
async function setUpFactor({ email, password }: PreviousAccount, policy: Policy): Promise<TOTP> {
  const { algorithm, digits, period } = policy
  const query = { client_id: 'verify', response_type: 'code', scope: 'openid', redirect_uri: DONE }
  const browser = createBrowser(DONE)
  const login = await browser.open(
    `${REALM}/protocol/openid-connect/auth?${new URLSearchParams(query).toString()}`,
  )
  const setup = await browser.submit(login, { username: email, password })
  const totpSecret = /name="totpSecret" value="([^"]+)"/.exec(setup.text)?.[1] ?? ''
  const factor = new TOTP({ secret: Secret.fromUTF8(totpSecret), algorithm, digits, period })
  const done = await browser.submit(setup, { totp: factor.generate(), totpSecret, userLabel: 'app' })
  if (!done.url.startsWith(DONE)) throw new Error(`Keycloak refused the code of ${email}: ${done.text}`)
  return factor
}

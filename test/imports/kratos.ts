import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import type { PreviousAccount, PreviousSystem } from './accounts.js'
import { call } from './http.js'
import { runProgram, withServer } from './programs.js'

const PORTS = { public: 18_433, admin: 18_434 }
const PUBLIC = `http://127.0.0.1:${PORTS.public}`
const ADMIN = `http://127.0.0.1:${PORTS.admin}/admin`
const EXPORT = `${ADMIN}/identities?page_size=1000&include_credential=password&include_credential=totp`

/** Each of these two algorithms hashes the passwords of half of the accounts. */
const HASHERS = [
  { algorithm: 'bcrypt', bcrypt: { cost: 12 } },
  { algorithm: 'argon2', argon2: { memory: '19MB', iterations: 2, parallelism: 1 } },
]

const credentials = { password: { identifier: true }, totp: { account_name: true } }
const EMAIL = { type: 'string', format: 'email', 'ory.sh/kratos': { credentials } }
const SCHEMA = {
  $id: 'https://kennel.example/owner.schema.json',
  type: 'object',
  properties: { traits: { type: 'object', properties: { email: EMAIL } } },
}

/** The members of a self-service flow that this module reads. */
type Flow = {
  readonly ui: {
    readonly action: string
    readonly nodes: readonly {
      readonly attributes: { readonly id?: string; readonly text?: { text: string } }
    }[]
  }
}

export const kratos: PreviousSystem = async (path, folder, accounts) => {
  const config = join(folder, 'kratos.json')
  const file = join(folder, 'identities.json')
  const factors = new Map<string, TOTP>()
  for (const [index, hashers] of HASHERS.entries()) {
    await writeFile(config, JSON.stringify(configuration(folder, hashers)))
    await runProgram(path, ['migrate', 'sql', '--read-from-env', '--yes', '--config', config])
    await withServer([path, 'serve', '--config', config], { ready: `${ADMIN}/health/ready` }, async () => {
      for (const account of accounts.filter((_, at) => at % HASHERS.length === index)) {
        await create(account)
        if (account.hasFactor) factors.set(account.email, await setUpFactor(account))
      }
      await writeFile(file, JSON.stringify(await call('GET', EXPORT)))
    })
  }
  return { file, factors, accounts: accounts.map((account) => ({ ...account, roles: [] })) }
}

function configuration(folder: string, hashers: object): object {
  const schema = Buffer.from(JSON.stringify(SCHEMA)).toString('base64')
  const host = '127.0.0.1'
  return {
    dsn: `sqlite://${join(folder, 'kratos.db')}?_fk=true`,
    serve: {
      public: { base_url: PUBLIC, host, port: PORTS.public },
      admin: { host, port: PORTS.admin },
    },
    selfservice: {
      default_browser_return_url: PUBLIC,
      methods: {
        password: { enabled: true, config: { haveibeenpwned_enabled: false } },
        totp: { enabled: true, config: { issuer: 'Kratos' } },
      },
    },
    secrets: { cookie: ['a cookie secret for one run'], cipher: ['a cipher secret of 32 bytes, one'] },
    hashers,
    identity: { default_schema_id: 'owner', schemas: [{ id: 'owner', url: `base64://${schema}` }] },
    courier: { smtp: { connection_uri: 'smtp://127.0.0.1:1' } },
  }
}

async function create({ email, password, disabled }: PreviousAccount): Promise<void> {
  await call('POST', `${ADMIN}/identities`, {
    schema_id: 'owner',
    state: disabled ? 'inactive' : 'active',
    traits: { email },
    credentials: { password: { config: { password } } },
  })
}

/** Logs in through the API for native apps, and confirms the secret that Kratos shows. */
async function setUpFactor({ email, password }: PreviousAccount): Promise<TOTP> {
  const login = (await call('GET', `${PUBLIC}/self-service/login/api`)) as Flow
  const issued = await call('POST', login.ui.action, { method: 'password', identifier: email, password })
  const headers = { 'X-Session-Token': (issued as { session_token: string }).session_token }
  const { ui } = (await call('GET', `${PUBLIC}/self-service/settings/api`, undefined, headers)) as Flow
  const shown = ui.nodes.find(({ attributes }) => attributes.id === 'totp_secret_key')
  const secret = Secret.fromBase32(shown?.attributes.text?.text ?? '')
  const factor = new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 })
  await call('POST', ui.action, { method: 'totp', totp_code: factor.generate() }, headers)
  return factor
}

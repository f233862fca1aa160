import { expect } from 'chai'
import { createRecordReader, type ReadRecord } from '../../../../src/adapters/oclif/import/record.js'
import { createRoleMapping, NO_FACTOR_SECRET } from '../../../../src/adapters/oclif/import/foreign-user.js'
import { createScanner } from '../../../../src/adapters/oclif/import/scanners.js'
import { sourceCalled, readFirebaseParameters } from '../../../../src/adapters/oclif/import/sources.js'
import { splitRecords } from '../../../../src/adapters/oclif/import/split.js'
import { OperatorError } from '../../../../src/domain/refusal.js'

const BCRYPT = '$2b$10$abcdefghijklmnopqrstuuE0u3cBmrXrdc0TsUNLkNl6rLMnZgDK2'
const ARGON2 =
  '$argon2id$v=19$m=1024,t=2,p=2$c2FsdHNhbHRzYWx0c2FsdA$doMZWC6+YK3Uu2+Npx/Z4ZAURrSEGsXydjZCOnMDi2Y'
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

/** The hash parameters, exactly as the Firebase console shows them. */
const PARAMETERS = `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: a2V5,
  base64_salt_separator: Bw==,
  rounds: 8,
  mem_cost: 14,
}`
const FIREBASE_HASH = '$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=a2V5$c2E/bHQ=$ZGln+XN0'

/** Keycloak stores JSON strings inside its JSON export. */
const keycloakCredential = (type: string, secret: object, data: object) => ({
  ...{ type, secretData: JSON.stringify(secret), credentialData: JSON.stringify(data) },
})
const keycloakPassword = keycloakCredential(
  'password',
  { value: 'dmFsdWU=', salt: 'c2FsdA==' },
  { hashIterations: 5, algorithm: 'argon2' },
)
const keycloakOtp = (more: object, value: string) =>
  keycloakCredential('otp', { value }, { subType: 'totp', digits: 6, period: 30, ...more })
const { type: _, ...keycloakHash } = keycloakPassword

const kratosTotp = `otpauth://totp/shop:ada?algorithm=SHA1&digits=6&issuer=shop&period=30&secret=${SECRET}`
const betterAuthTotp = `otpauth://totp/Shop:bob%40example.com?secret=${SECRET}&issuer=Shop&digits=6&period=30`

const jsonLines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n')
const [ada, bob] = [{ email: 'ada@example.com' }, { email: 'bob@example.com' }]
const editor = { roles: ['project-editor'] }
const disabled = { roles: [], disabled: true }

/** One small export of each system, and its accounts. */
const EXPORTS: readonly (readonly [source: string, name: string, file: string, users: readonly object[]])[] =
  [
    [
      'better-auth',
      'a JSON array',
      JSON.stringify([
        { id: 'k3Vq', ...ada, role: 'editor,walker', banned: 0, password: 'salt:digest' },
        { id: 'f2a1', ...bob, role: null, banned: 'TRUE', password: null, totp_uri: betterAuthTotp },
      ]),
      [
        { id: 'k3Vq', ...ada, ...editor, passwordHash: 'salt:digest' },
        { id: 'f2a1', ...bob, ...disabled, totp: { secret: SECRET, digits: 6, period: 30 } },
      ],
    ],
    [
      'keycloak',
      'a realm',
      JSON.stringify({
        groups: [{ name: 'users' }],
        users: [
          { id: 'f2a1', ...ada, realmRoles: ['editor', 'offline_access'], credentials: [keycloakPassword] },
          { id: 'f2a2', ...bob, enabled: false, credentials: [{ type: 'webauthn-passwordless' }] },
          {
            ...{ id: 'f2a3', email: 'cy@example.com' },
            credentials: [keycloakOtp({ algorithm: 'HmacSHA1' }, '12345678901234567890')],
          },
          {
            ...{ id: 'f2a4', email: 'di@example.com' },
            credentials: [
              keycloakOtp({ algorithm: 'HmacSHA512', digits: 8, secretEncoding: 'BASE32' }, SECRET),
            ],
          },
          { id: 'f2a5', username: 'service-account-shop', serviceAccountClientId: 'shop' },
        ],
        clients: [{ users: [1] }],
      }),
      [
        { id: 'f2a1', ...ada, ...editor, passwordHash: JSON.stringify(keycloakHash) },
        { id: 'f2a2', ...bob, ...disabled },
        {
          ...{ id: 'f2a3', email: 'cy@example.com', roles: [] },
          totp: { secret: SECRET, algorithm: 'SHA1', digits: 6, period: 30 },
        },
        {
          ...{ id: 'f2a4', email: 'di@example.com', roles: [] },
          totp: { secret: SECRET, algorithm: 'SHA512', digits: 8, period: 30 },
        },
      ],
    ],
    [
      'kratos',
      'two pages of identities',
      jsonLines([
        [
          {
            ...{ id: '9f1c', state: 'active', traits: ada, metadata_public: { roles: ['editor'] } },
            credentials: {
              password: { config: { hashed_password: ARGON2 } },
              totp: { config: { totp_url: kratosTotp } },
            },
          },
        ],
        [
          {
            ...{ id: '9f1d', state: 'inactive', traits: { mail: 'bob@example.com' }, metadata_public: null },
            verifiable_addresses: [
              { via: 'sms', value: '+1' },
              { via: 'email', value: 'bob@example.com' },
            ],
          },
        ],
      ]),
      [
        {
          ...{ id: '9f1c', ...ada, ...editor, passwordHash: ARGON2 },
          totp: { secret: SECRET, algorithm: 'SHA1', digits: 6, period: 30 },
        },
        { id: '9f1d', ...bob, ...disabled },
      ],
    ],
    [
      'supertokens',
      'CSV',
      `user_id,email,password_hash,roles,totp_secret,totp_period
5c1d,ada@example.com,"${ARGON2}","{editor,""a b""}",${SECRET},30
5c1e,bob@example.com,$f_scrypt$ZGln+XN0$c2E/bHQ=$m=14$r=8$s=Bw==,,,
`,
      [
        { id: '5c1d', ...ada, ...editor, passwordHash: ARGON2, totp: { secret: SECRET, period: 30 } },
        { id: '5c1e', ...bob, passwordHash: FIREBASE_HASH, roles: [] },
      ],
    ],
    [
      'auth0',
      'JSON lines',
      jsonLines([
        { _id: { $oid: '60425dc4' }, ...ada, passwordHash: BCRYPT, tenant: 'shop' },
        { _id: { $oid: '5dea' }, alt_id: 'euclid', ...bob },
      ]),
      [
        { id: 'auth0|60425dc4', ...ada, passwordHash: BCRYPT, roles: [] },
        { id: 'auth0|euclid', ...bob, roles: [] },
      ],
    ],
    [
      'firebase',
      'a JSON object',
      JSON.stringify({
        users: [
          {
            ...{ localId: 'Zq1', ...ada, disabled: true, passwordHash: 'ZGln-XN0', salt: 'c2E_bHQ=' },
            customAttributes: '{"roles":["editor"]}',
          },
          { localId: 'Zq2', ...bob },
        ],
      }),
      [
        { id: 'Zq1', ...ada, ...editor, passwordHash: FIREBASE_HASH, disabled: true },
        { id: 'Zq2', ...bob, roles: [] },
      ],
    ],
    [
      'clerk',
      'CSV',
      [
        'id,last_name,primary_email_address,totp_secret,password_digest,password_hasher',
        `user_1,"Lovelace, Countess",ada@example.com,${SECRET},${BCRYPT},bcrypt`,
        'user_2,,bob@example.com,,,',
      ].join('\n'),
      [
        { id: 'user_1', ...ada, passwordHash: BCRYPT, roles: [], totp: { secret: SECRET } },
        { id: 'user_2', ...bob, roles: [] },
      ],
    ],
    [
      'supabase',
      'JSON lines',
      jsonLines([
        { id: 'b1', ...ada, encrypted_password: BCRYPT, banned: false, roles: ['editor'] },
        { id: 'b2', ...bob, encrypted_password: '', banned: true, roles: null, totp_secret: SECRET },
      ]),
      [
        { id: 'b1', ...ada, ...editor, passwordHash: BCRYPT },
        { id: 'b2', ...bob, ...disabled, totp: { secret: SECRET } },
      ],
    ],
    [
      'rodauth',
      'CSV',
      `id,email,status_id,password_hash,role\n7,ada@example.com,2,${BCRYPT},editor\n8,bob@example.com,3,,\n`,
      [
        { id: '7', ...ada, ...editor, passwordHash: BCRYPT },
        { id: '8', ...bob, ...disabled },
      ],
    ],
    ['rodauth', 'CSV without states', 'id,email\n7,ada@example.com\n', [{ id: '7', ...ada, roles: [] }]],
  ]

async function* inOnePiece(file: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(file))
}

async function readAll(file: string, from: string, parameters?: string) {
  const source = sourceCalled(from, parameters === undefined ? undefined : readFirebaseParameters(parameters))
  if (!source) throw new Error('unknown source')
  const { map: mapRoles, counts } = createRoleMapping(new Set(['project-editor']), ['editor=project-editor'])
  const scanner = createScanner(source)
  const read = createRecordReader({ source, mapRoles }, scanner.format)
  const outcomes: ReadRecord[] = []
  for await (const { records } of splitRecords(inOnePiece(file), scanner)) outcomes.push(...records.map(read))
  return { outcomes: outcomes.filter(({ kind }) => kind !== 'empty'), counts: counts() }
}

async function usersIn(file: string, from: string, parameters?: string): Promise<object[]> {
  const { outcomes } = await readAll(file, from, parameters)
  return outcomes.map((outcome) => (outcome.kind === 'user' ? { id: outcome.id, ...outcome.user } : outcome))
}

describe('the source of an import', () => {
  for (const [from, name, file, users] of EXPORTS)
    it(`reads the export of ${from}: ${name}`, async () => {
      expect(await usersIn(file, from, PARAMETERS)).to.deep.equal(users)
    })

  for (const [from, member, reason] of [
    ['better-auth', { banned: 'yes' }, 'disabled: must be true or false'],
    ['better-auth', { twoFactorEnabled: 'yes' }, NO_FACTOR_SECRET],
    ['keycloak', { enabled: 0 }, 'disabled: must be true or false'],
    ['kratos', { traits: ada, state: 'blocked' }, 'disabled: must be true or false'],
    ['firebase', { disabled: [true] }, 'disabled: must be true or false'],
    ['supabase', { banned: '2099-01-01' }, 'disabled: must be true or false'],
  ] as const)
    it(`rejects an account of ${from} that may be disabled or protected: ${JSON.stringify(member)}`, async () => {
      const { outcomes } = await readAll(JSON.stringify([{ ...ada, ...member }]), from)
      expect(outcomes).to.deep.equal([{ kind: 'refused', message: reason }])
    })

  it('counts the known and the unknown roles of the file', async () => {
    const rows = ['editor,walker', 'walker', 'editor,editor'].map((role, n) => ({
      id: n,
      email: `${n}`,
      role,
    }))
    const { counts } = await readAll(JSON.stringify(rows), 'better-auth')
    expect(counts).to.deep.equal({ roles: { 'project-editor': 2 }, unknownRoles: { walker: 2 } })
  })

  it('requires every Firebase parameter if there is a hash', async () => {
    const hash = { email: 'ada@example.com', passwordHash: 'ZGln', salt: 'c2E=' }
    const file = JSON.stringify({ users: [hash] })
    for (const [parameters, message] of [
      [undefined, /add --firebase-parameters FILE/],
      [PARAMETERS.replace(/rounds.*/, ''), /^--firebase-parameters: rounds is missing$/],
    ] as const) {
      const error = await readAll(file, 'firebase', parameters).catch((reason: unknown) => reason)
      expect((error as OperatorError).errors.join()).to.match(message)
    }
  })

  it('omits a role that is mapped to an empty name', () => {
    const { map, counts } = createRoleMapping(new Set(['admin', 'editor']), ['admin='])
    expect(map('admin,editor')).to.deep.equal(['editor'])
    expect(counts()).to.deep.equal({ roles: { editor: 1 }, unknownRoles: {} })
  })

  it('renames a role whose name contains an equals sign', () => {
    expect(createRoleMapping(new Set(['editor']), ['a=b=editor']).map('a=b')).to.deep.equal(['editor'])
  })

  it('counts at most 1,000 different unknown roles', () => {
    const { map, counts } = createRoleMapping(new Set(), [])
    map(Array.from({ length: 1_001 }, (_, number) => `role ${number}`))
    expect(Object.keys(counts().unknownRoles)).to.have.lengthOf(1_000)
  })

  it('rejects a role option that is not a pair or that names an unknown role', () => {
    for (const [option, message] of [
      ['editor', '--role: "editor" is not OLD=NEW.'],
      ['a=b', '--role: There is no role "b".'],
    ] as const)
      expect(() => createRoleMapping(new Set(), [option]))
        .to.throw(OperatorError)
        .with.deep.property('errors', [message])
  })
})

import { expect } from 'chai'
import { createRecordReader } from '../../../../src/adapters/oclif/import/record.js'
import { createRoleMapping } from '../../../../src/adapters/oclif/import/foreign-user.js'
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
  ...{
    id: '1',
    type,
    createdDate: 1,
    secretData: JSON.stringify(secret),
    credentialData: JSON.stringify(data),
  },
})
const keycloakPassword = keycloakCredential(
  'password',
  { value: 'dmFsdWU=', salt: 'c2FsdA==', additionalParameters: {} },
  { hashIterations: 5, algorithm: 'argon2', additionalParameters: { version: ['1.3'] } },
)
const keycloakOtp = (more: object, value: string) =>
  keycloakCredential('otp', { value }, { subType: 'totp', digits: 6, counter: 0, period: 30, ...more })

const kratosTotp = `otpauth://totp/shop:ada?algorithm=SHA1&digits=6&issuer=shop&period=30&secret=${SECRET}`

/** One small export of each system, and its accounts. */
const EXPORTS: readonly (readonly [source: string, name: string, file: string, users: readonly object[]])[] =
  [
    [
      'better-auth',
      'a JSON array',
      JSON.stringify([
        { id: 'k3Vq', email: 'ada@example.com', role: 'editor,walker', banned: 0, password: 'salt:digest' },
        {
          ...{ id: 'f2a1', email: 'bob@example.com', role: null, banned: 'TRUE', password: null },
          totp_uri: `otpauth://totp/Shop:bob%40example.com?secret=${SECRET}&issuer=Shop&digits=6&period=30`,
        },
      ]),
      [
        { id: 'k3Vq', email: 'ada@example.com', passwordHash: 'salt:digest', roles: ['project-editor'] },
        {
          ...{ id: 'f2a1', email: 'bob@example.com', roles: [], disabled: true },
          totp: { secret: SECRET, digits: 6, period: 30 },
        },
      ],
    ],
    [
      'keycloak',
      'a realm',
      JSON.stringify(
        {
          realm: 'shop',
          groups: [{ name: 'users' }],
          users: [
            {
              ...{ id: 'f2a1', username: 'ada', email: 'ada@example.com', enabled: true },
              ...{ realmRoles: ['editor', 'offline_access'], credentials: [keycloakPassword] },
            },
            {
              id: 'f2a2',
              email: 'bob@example.com',
              enabled: false,
              credentials: [{ type: 'webauthn-passwordless' }],
            },
            {
              ...{ id: 'f2a3', email: 'cy@example.com', enabled: true },
              credentials: [keycloakOtp({ algorithm: 'HmacSHA1' }, '12345678901234567890')],
            },
            {
              ...{ id: 'f2a4', email: 'di@example.com', enabled: true },
              credentials: [
                keycloakOtp({ algorithm: 'HmacSHA512', digits: 8, secretEncoding: 'BASE32' }, SECRET),
              ],
            },
            { id: 'f2a5', username: 'service-account-shop', serviceAccountClientId: 'shop', enabled: true },
          ],
          clients: [{ users: [1] }],
        },
        null,
        2,
      ),
      [
        {
          ...{ id: 'f2a1', email: 'ada@example.com', roles: ['project-editor'] },
          passwordHash: JSON.stringify({
            secretData: keycloakPassword.secretData,
            credentialData: keycloakPassword.credentialData,
          }),
        },
        { id: 'f2a2', email: 'bob@example.com', roles: [], disabled: true },
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
      [
        {
          ...{ id: '9f1c', schema_id: 'default', state: 'active', traits: { email: 'ada@example.com' } },
          metadata_public: { roles: ['editor'] },
          credentials: {
            password: { type: 'password', config: { hashed_password: ARGON2 } },
            totp: { type: 'totp', config: { totp_url: kratosTotp } },
          },
        },
        {
          ...{ id: '9f1d', state: 'inactive', traits: { mail: 'bob@example.com' }, metadata_public: null },
          verifiable_addresses: [
            { via: 'sms', value: '+1' },
            { via: 'email', value: 'bob@example.com' },
          ],
        },
      ]
        .map((identity) => JSON.stringify([identity]))
        .join('\n'),
      [
        {
          ...{ id: '9f1c', email: 'ada@example.com', passwordHash: ARGON2, roles: ['project-editor'] },
          totp: { secret: SECRET, algorithm: 'SHA1', digits: 6, period: 30 },
        },
        { id: '9f1d', email: 'bob@example.com', roles: [], disabled: true },
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
        {
          ...{ id: '5c1d', email: 'ada@example.com', passwordHash: ARGON2, roles: ['project-editor'] },
          totp: { secret: SECRET, period: 30 },
        },
        { id: '5c1e', email: 'bob@example.com', passwordHash: FIREBASE_HASH, roles: [] },
      ],
    ],
    [
      'auth0',
      'JSON lines',
      `${JSON.stringify({
        ...{
          _id: { $oid: '60425dc4' },
          email_verified: false,
          email: 'ada@example.com',
          passwordHash: BCRYPT,
        },
        ...{ tenant: 'shop', connection: 'Username-Password-Authentication', _tmp_is_unique: true },
      })}\n${JSON.stringify({ _id: { $oid: '5dea' }, alt_id: 'euclid', email: 'bob@example.com' })}\n`,
      [
        { id: 'auth0|60425dc4', email: 'ada@example.com', passwordHash: BCRYPT, roles: [] },
        { id: 'auth0|euclid', email: 'bob@example.com', roles: [] },
      ],
    ],
    [
      'firebase',
      'a JSON object',
      JSON.stringify({
        users: [
          {
            ...{ localId: 'Zq1', email: 'ada@example.com', emailVerified: true, disabled: true },
            ...{ passwordHash: 'ZGln-XN0', salt: 'c2E_bHQ=', customAttributes: '{"roles":["editor"]}' },
          },
          { localId: 'Zq2', email: 'bob@example.com', providerUserInfo: [{ providerId: 'google.com' }] },
        ],
      }),
      [
        {
          ...{ id: 'Zq1', email: 'ada@example.com', passwordHash: FIREBASE_HASH },
          ...{ roles: ['project-editor'], disabled: true },
        },
        { id: 'Zq2', email: 'bob@example.com', roles: [] },
      ],
    ],
    [
      'clerk',
      'CSV',
      [
        'id,first_name,last_name,username,primary_email_address,primary_phone_number,verified_email_addresses,' +
          'unverified_email_addresses,verified_phone_numbers,unverified_phone_numbers,totp_secret,password_digest,password_hasher',
        `user_1,Ada,"Lovelace, Countess",,ada@example.com,,ada@example.com,,,,${SECRET},${BCRYPT},bcrypt`,
        'user_2,Bob,,,bob@example.com,,bob@example.com,,,,,,',
      ].join('\n'),
      [
        { id: 'user_1', email: 'ada@example.com', passwordHash: BCRYPT, roles: [], totp: { secret: SECRET } },
        { id: 'user_2', email: 'bob@example.com', roles: [] },
      ],
    ],
    [
      'supabase',
      'JSON lines',
      [
        { id: 'b1', email: 'ada@example.com', encrypted_password: BCRYPT, banned: false, roles: ['editor'] },
        {
          id: 'b2',
          email: 'bob@example.com',
          encrypted_password: '',
          banned: true,
          roles: null,
          totp_secret: SECRET,
        },
      ]
        .map((row) => JSON.stringify(row))
        .join('\n'),
      [
        { id: 'b1', email: 'ada@example.com', passwordHash: BCRYPT, roles: ['project-editor'] },
        { id: 'b2', email: 'bob@example.com', roles: [], disabled: true, totp: { secret: SECRET } },
      ],
    ],
    [
      'rodauth',
      'CSV',
      `id,email,status_id,password_hash,role\n7,ada@example.com,2,${BCRYPT},editor\n8,bob@example.com,3,,\n`,
      [
        { id: '7', email: 'ada@example.com', passwordHash: BCRYPT, roles: ['project-editor'] },
        { id: '8', email: 'bob@example.com', roles: [], disabled: true },
      ],
    ],
    [
      'rodauth',
      'CSV without states',
      'id,email\n7,ada@example.com\n',
      [{ id: '7', email: 'ada@example.com', roles: [] }],
    ],
  ]

async function* inOnePiece(file: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(file))
}

async function usersIn(file: string, from: string, parameters?: string) {
  const source = sourceCalled(from, parameters === undefined ? undefined : readFirebaseParameters(parameters))
  if (!source) throw new Error('unknown source')
  const { map: mapRoles, counts } = createRoleMapping(new Set(['project-editor']), ['editor=project-editor'])
  const scanner = createScanner(source)
  const read = createRecordReader({ source, mapRoles }, scanner.format)
  const users: object[] = []
  for await (const { records } of splitRecords(inOnePiece(file), scanner))
    for (const record of records) {
      const outcome = read(record)
      if (outcome.kind === 'user') users.push({ id: outcome.id, ...outcome.user })
      else expect(outcome).to.deep.equal({ kind: 'empty' })
    }
  return { users, counts: counts() }
}

describe('the sources of an import', () => {
  for (const [from, name, file, users] of EXPORTS)
    it(`reads the export of ${from}: ${name}`, async () => {
      expect((await usersIn(file, from, PARAMETERS)).users).to.deep.equal(users)
    })

  it('counts the known and the unknown roles of the file', async () => {
    const rows = ['editor,walker', 'walker', 'editor,editor'].map((role, n) => ({
      id: n,
      email: `${n}`,
      role,
    }))
    const { counts } = await usersIn(JSON.stringify(rows), 'better-auth')
    expect(counts).to.deep.equal({ roles: { 'project-editor': 2 }, unknownRoles: { walker: 2 } })
  })

  it('requires every Firebase parameter if there is a hash', async () => {
    const hash = { email: 'ada@example.com', passwordHash: 'ZGln', salt: 'c2E=' }
    const file = JSON.stringify({ users: [hash] })
    for (const [parameters, message] of [
      [undefined, /add --firebase-parameters FILE/],
      [PARAMETERS.replace(/rounds.*/, ''), /^--firebase-parameters: rounds is missing$/],
    ] as const) {
      const error = await usersIn(file, 'firebase', parameters).catch((reason: unknown) => reason)
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

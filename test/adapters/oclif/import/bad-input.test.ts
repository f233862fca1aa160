import { writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { importFile } from '../../../../src/adapters/oclif/import/import-file.js'
import { createImportReport } from '../../../../src/adapters/oclif/import/report.js'
import { createRoleMapping, NO_FACTOR_SECRET } from '../../../../src/adapters/oclif/import/foreign-user.js'
import { RECORD_MAX_BYTES } from '../../../../src/adapters/oclif/import/split.js'
import { sourceCalled } from '../../../../src/adapters/oclif/import/sources.js'
import { OPERATOR } from '../../../../src/domain/access/caller.js'
import { OperatorError } from '../../../../src/domain/refusal.js'
import { temporaryFolder } from '../../../support/temporary-folder.js'
import { composeUseCases } from '../../../support/use-cases.js'

const NO_SECRET = 'the account has a second factor, but the file does not contain its secret'
const SECURITY_KEY = 'the second factor is a security key (WebAuthn); only TOTP can be imported'
const STRANGE = { toString: 1, valueOf: 1 }
const UTF_16 = 'The file is UTF-16. Convert it first: iconv -f UTF-16 -t UTF-8 FILE.'

const json = (name: string, more: object = {}) => JSON.stringify({ email: `${name}@example.com`, ...more })
const [first, last] = [json('first'), json('last')]
const realm = (credential: object) =>
  JSON.stringify({
    users: [{ email: 'first@example.com' }, { email: 'a@example.com', credentials: [credential] }],
  })
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

/** Files with errors, the reported errors, and the accounts that are still saved. */
const FILES: readonly (readonly [
  name: string,
  source: string,
  file: string | Buffer,
  errors: readonly object[],
  saved: readonly string[],
])[] = [
  [
    'truncated JSON lines',
    'kennel',
    `${first}\n{"email": "a@exa`,
    [{ line: 2, message: 'the line is not JSON' }],
    ['first'],
  ],
  [
    'an array that ends inside an object',
    'kratos',
    `[{"traits": ${first}}, {"traits": {"email": "a@exa`,
    [{ line: 1, object: 2, message: 'the file ends inside this object' }],
    ['first'],
  ],
  [
    'an object that ends after its last account',
    'keycloak',
    `{"users": [${first},\n${last}]`,
    [{ line: 2, object: 3, message: 'the file ends before the end of its JSON' }],
    ['first', 'last'],
  ],
  [
    'an array that ends too early',
    'kennel',
    `[${first}], ${last}]`,
    [{ line: 1, object: 2, message: 'the JSON is damaged: it has text outside its array' }],
    ['first'],
  ],
  [
    'a CSV file that ends inside a quoted cell',
    'clerk',
    `id,primary_email_address\n1,first@example.com\n2,"a@exam`,
    [{ line: 3, message: 'the file ends inside a quoted cell' }],
    ['first'],
  ],
  [
    'a CSV file with too few and too many cells in a row, a quote at the wrong place, and line breaks in a cell',
    'clerk',
    `id,primary_email_address\r\n1\r\n2,a"b@example.com\r\n"3\n\n",first@example.com\r\n4,no-email\r\n5,fifth@example.com,more\r\n`,
    [
      {
        line: 2,
        message: 'the row has a misplaced quote, or a different number of cells than the first row',
      },
      {
        line: 3,
        message: 'the row has a misplaced quote, or a different number of cells than the first row',
      },
      { line: 7, message: 'email: email-not-valid' },
      {
        line: 8,
        message: 'the row has a misplaced quote, or a different number of cells than the first row',
      },
    ],
    ['first'],
  ],
  [
    'CSV of another system',
    'clerk',
    'uid,mail\n1,a@example.com',
    [{ line: 0, message: 'The first row of the file has no column "primary_email_address".' }],
    [],
  ],
  [
    'a CSV file with a column that occurs twice, and empty column names',
    'clerk',
    'primary_email_address,,,primary_email_address\na@example.com,,,b@example.com',
    [{ line: 0, message: 'The first row of the file has the column "primary_email_address" twice.' }],
    [],
  ],
  ['JSON of another system', 'keycloak', first, [{ line: 0, message: 'The file has no array "users".' }], []],
  [
    'UTF-16 with a byte order mark',
    'kennel',
    Buffer.from(`\uFEFF${first}`, 'utf16le'),
    [{ line: 0, message: UTF_16 }],
    [],
  ],
  [
    'UTF-16 without a byte order mark',
    'auth0',
    Buffer.from(first, 'utf16le'),
    [{ line: 0, message: UTF_16 }],
    [],
  ],
  ['a byte order mark of UTF-8', 'kratos', `\uFEFF\n[{"traits": ${first}}]`, [], ['first']],
  [
    'a second factor whose JSON inside JSON is damaged',
    'keycloak',
    realm({
      type: 'otp',
      secretData: '{"value":"',
      credentialData: '{"subType":"totp","algorithm":"HmacSHA1"}',
    }),
    [{ line: 1, object: 2, message: 'totp.secret: required' }],
    ['first'],
  ],
  [
    'a second factor that counts its codes',
    'keycloak',
    realm({ type: 'otp', secretData: '{"value":"a"}', credentialData: '{"subType":"hotp"}' }),
    [
      {
        ...{ line: 1, object: 2 },
        message: 'the second factor uses counter-based codes (HOTP); only TOTP can be imported',
      },
    ],
    ['first'],
  ],
  [
    'two lines with the same email in different forms',
    'kennel',
    `${first}\n${json('FIRST')}\n${last}\n{"email": "first@EXAMPLE.com."}`,
    [
      { line: 2, message: 'email: already occurs in line 1' },
      { line: 4, message: 'email: already occurs in line 1' },
    ],
    ['first', 'last'],
  ],
  [
    'objects that are too deep or too long',
    'kratos',
    `[{"traits": ${first}, "deep": ${deep}}, ${deep}, {"x": "${'x'.repeat(RECORD_MAX_BYTES)}"}, 7, {"traits": ${last}}]`,
    [
      { line: 1, object: 2, message: 'must be an object' },
      { line: 1, object: 3, message: `the object is longer than ${RECORD_MAX_BYTES} bytes` },
      { line: 1, object: 4, message: 'must be an object' },
    ],
    ['first', 'last'],
  ],
  [
    'objects without a bracket or a quote',
    'kratos',
    `[{"traits": ${first}}, {"a": 1, {"a": [{"b": 1}}, {"a": "b, "c": 1},\n{"traits": ${last}}]`,
    [2, 3, 4].map((object) => ({ line: 1, object, message: 'the object is not JSON' })),
    ['first', 'last'],
  ],
  [
    'second factors without a secret',
    'kratos',
    JSON.stringify([
      { traits: { email: 'a@example.com' }, credentials: { totp: { type: 'totp', version: 0 } } },
      { traits: { email: 'b@example.com' }, credentials: { totp: { config: { totp_url: 7 } } } },
      { traits: { email: 'first@example.com' }, credentials: { password: { type: 'password' } } },
    ]),
    [
      { line: 1, object: 1, message: NO_SECRET },
      { line: 1, object: 2, message: 'totp.secret: required' },
    ],
    ['first'],
  ],
  [
    'security keys, which are a second factor unless all of them replace the password',
    'kratos',
    JSON.stringify(
      [
        { type: 'webauthn' },
        { config: { credentials: [{ is_passwordless: true }, { is_passwordless: false }] } },
        { config: { credentials: [{ is_passwordless: true }] } },
      ].map((webauthn, n) => ({
        traits: { email: `${['a', 'b', 'first'][n]}@example.com` },
        credentials: { webauthn },
      })),
    ),
    [1, 2].map((object) => ({ line: 1, object, message: SECURITY_KEY })),
    ['first'],
  ],
  [
    'a second factor that the query has omitted',
    'better-auth',
    `[${json('a', { twoFactorEnabled: 1 })}, ${json('first', { twoFactorEnabled: 0 })}]`,
    [{ line: 1, object: 1, message: NO_SECRET }],
    ['first'],
  ],
  [
    'a second factor that cannot be imported',
    'keycloak',
    realm({ type: 'webauthn', secretData: '{}' }),
    [{ line: 1, object: 2, message: SECURITY_KEY }],
    ['first'],
  ],
  [
    'objects in place of texts, whose members have the names of functions',
    'better-auth',
    `[${[
      json('first', { id: STRANGE }),
      json('last', { role: [STRANGE] }),
      ...['totp_uri', 'password', 'email', 'banned', 'twoFactorEnabled'].map((member, n) =>
        json(`a${n}`, { [member]: STRANGE }),
      ),
    ].join()}]`,
    [
      { line: 1, object: 3, message: 'totp.secret: required' },
      { line: 1, object: 4, message: 'passwordHash: must be a string' },
      { line: 1, object: 5, message: 'email: must be a string' },
      { line: 1, object: 6, message: 'disabled: must be true or false' },
      { line: 1, object: 7, message: NO_FACTOR_SECRET },
    ],
    ['first', 'last'],
  ],
]

describe('bad input of an import', () => {
  const folder = temporaryFolder()

  for (const [name, from, file, errors, saved] of FILES)
    it(`is reported with its line, and all other accounts are imported: ${name}`, async () => {
      const { useCases } = await composeUseCases()
      const path = folder('file')
      writeFileSync(path, file)
      const pieces: string[] = []
      const report = createImportReport((text) => Promise.resolve(pieces.push(text)))
      const source = sourceCalled(from)
      const origin = source && { source, mapRoles: createRoleMapping(new Set(), []).map }
      const signals = { received: new Promise<void>(() => undefined), isReceived: () => false }
      await importFile(useCases.importUsers, path, {
        report,
        signals,
        origin,
        refusesDuplicates: true,
      }).catch((error: unknown) => {
        if (!(error instanceof OperatorError)) throw error
        for (const message of error.errors) report.refuse({ line: 0, message })
      })
      await report.end()
      expect(JSON.parse(pieces.join(''))).to.deep.equal({ errors, save: saved.length, unchanged: 0 })
      const users = await useCases.listUsers({ caller: OPERATOR, limit: 10 })
      expect(users.map(({ email }) => email)).to.have.members(saved.map((one) => `${one}@example.com`))
    })
})

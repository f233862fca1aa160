import { expect } from 'chai'
import { connect, type Connection } from '../../../src/adapters/sqlite/driver.js'
import { MIGRATIONS, setting } from '../../../src/adapters/sqlite/schema.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import { contentOf, recordsOf } from '../../../src/contracts/copyable-records/arrangements.js'
import { RECORD_KINDS, type RecordKind } from '../../../src/ports/copyable-records.js'
import { suiteFolder } from '../../support/temporary-folder.js'
import { VERSION_1_FILE } from '../../support/sqlite-version-1.js'

type Records = Readonly<Partial<Record<RecordKind, readonly unknown[]>>>

/** A file of this version with these rows, and its records after the upgrade. */
type Earlier = { readonly version: number; readonly rows: string; readonly records: Records }

const EDITOR = { uuid: 'uuid', key: 'editor', label: 'Editor' }
const emailOf = (name: string) => `${name}@example.org`
const accountOf = (id: number, name: string, more: object = {}) => ({
  ...{ id, email: emailOf(name), epoch: 1, createdAt: 1, roles: [] },
  ...more,
})
const sessionOf = (id: string, more: object, current: object) => ({
  ...{ id, accountId: 1, epoch: 1, createdAt: 5, endsAt: 900, ...more },
  current: {
    ...{
      number: 1,
      pairId: `pair ${id}`,
      kid: 'kid',
      issuedAt: 5,
      keyDigest: `digest ${id}`,
      idleEndsAt: 800,
    },
    ...current,
  },
})
const FACTOR = { sealedSecret: 'sealed', begunAt: 6, activeSince: 7, lastStep: 3, recovery: [] }
const actorOf = (accountId: number, name: string) => ({
  accountId,
  email: emailOf(name),
  epoch: 1,
  endsAt: 9,
})
const VERSION_1: Records = {
  role: [EDITOR],
  account: [
    accountOf(2, 'ann', { passwordHash: 'hash', epoch: 3, createdAt: 2, roles: ['editor'] }),
    accountOf(3, 'bob', { epoch: 2, disabledAt: 99, createdAt: 3 }),
  ],
  session: ['a', 'b', 'c'].map((id) => {
    const begun = { accountId: 2, epoch: 3, createdAt: id === 'b' ? 10 : 20, endsAt: 1000 }
    const current = { number: id === 'b' ? 2 : 1, issuedAt: id === 'b' ? 30 : 20, idleEndsAt: 900 }
    const previous = { pairId: 'previous pair', keyDigest: 'previous digest', until: 40 }
    return sessionOf(id, id === 'b' ? { ...begun, previous } : begun, current)
  }),
  pet: [{ id: 1, name: 'Rex', revision: 1 }],
  idempotencyKey: [{ scope: 'account:2', key: 'key', fingerprint: 'fingerprint', petId: 1, until: 500 }],
  apiKey: [{ id: 1, name: 'ci', digest: 'api digest', roles: ['editor'], createdAt: 5 }],
  project: [{ id: 1, label: 'House', status: 'planned', budget: 1.5, createdBy: 2, createdAt: 6 }],
  counter: [
    { name: 'accounts', last: 3 },
    ...['apiKeys', 'pets', 'projects'].map((name) => ({ name, last: 1 })),
  ],
}

const TOKEN = `
  INSERT INTO reset_offers (account_id, mail_job_id, digest, until, epoch) VALUES`
const resetOf = (accountId: number, name: string, more: object = {}) => ({
  ...{ id: `mail of ${name}`, purpose: 'reset-password', email: emailOf(name), createdAt: 0, until: 9 },
  ...{ accountId, epoch: 1, digest: `of ${name}`, attempts: 0, ...more },
})

const EARLIER: Readonly<Record<string, Earlier>> = {
  'with reset tokens': {
    version: 23,
    rows: `
      INSERT INTO accounts (email, shared_email, epoch, created_at) VALUES
        ('ann@example.org', NULL, 1, 1), ('Bob@example.org', 'bob@example.org', 1, 1);
      ${TOKEN} (1, 'mail of ann', 'of ann', 9, 1), (2, 'mail of bob', 'of bob', 9, 0), (1, '', 'old', 9, 1)`,
    records: { proof: [resetOf(1, 'ann'), resetOf(2, 'bob', { epoch: 0 })] },
  },
  'without second factors, origins of sessions and searches': {
    version: 9,
    rows: `
      INSERT INTO roles (key, uuid, label) VALUES ('editor', 'uuid', 'Editor'), ('owner', 'uuid 2', 'Owner');
      INSERT INTO accounts (email, epoch, created_at, disabled_at) VALUES
        ('cid@example.org', 1, 1, NULL), ('ann@example.org', 1, 1, 5), ('bob@example.org', 1, 1, NULL);
      INSERT INTO memberships (account_id, role_key) VALUES (1, 'editor'), (2, 'editor'), (2, 'owner');
      INSERT INTO api_keys (name, digest, created_at) VALUES ('ci', 'digest', 5);
      INSERT INTO revocations (session_id, until) VALUES ('ended', 40);
      INSERT INTO sessions (
        id, account_id, epoch, created_at, ends_at, number, pair_id, kid, issued_at, idle_ends_at, network, odd_digest,
        purge_at, actor_id, actor_email, actor_epoch, actor_ends_at
      ) VALUES
        ('acting', 1, 1, 5, 900, 1, 'pair acting', 'kid', 5, 800, NULL, 'digest acting', 800, 3, 'bob@example.org', 1, 9),
        ('own', 1, 1, 5, 900, 1, 'pair own', 'kid', 5, 800, '203.0.113.7', 'digest own', 800, NULL, NULL, NULL, NULL)`,
    records: {
      account: [
        accountOf(1, 'cid', { roles: ['editor'] }),
        accountOf(2, 'ann', { disabledAt: 5, roles: ['editor', 'owner'] }),
        accountOf(3, 'bob'),
      ],
      apiKey: [{ id: 1, name: 'ci', digest: 'digest', roles: [], createdAt: 5 }],
      revocation: [{ sessionId: 'ended', until: 40 }],
      session: [
        sessionOf('acting', { actor: actorOf(3, 'bob') }, {}),
        sessionOf('own', {}, { network: '203.0.113.7' }),
      ],
    },
  },
  'whose sessions have a mark for a second factor': {
    version: 19,
    rows: `
      INSERT INTO accounts (email, epoch, created_at, second_factor) VALUES
        ('ann@example.org', 1, 1, 1), ('bob@example.org', 1, 1, NULL);
      INSERT INTO second_factors VALUES (1, 'sealed', 6, 7, 3);
      INSERT INTO sessions (
        id, account_id, epoch, created_at, ends_at, number, pair_id, kid, issued_at, idle_ends_at, odd_digest, purge_at,
        factor, actor_id, actor_email, actor_epoch, actor_ends_at
      ) VALUES
        ('acting', 2, 1, 5, 900, 1, 'pair acting', 'kid', 5, 800, 'digest acting', 800, 1, 1, 'ann@example.org', 1, 9),
        ('own', 1, 1, 5, 900, 1, 'pair own', 'kid', 5, 800, 'digest own', 800, 1, NULL, NULL, NULL, NULL)`,
    records: {
      account: [accountOf(1, 'ann', { factor: FACTOR }), accountOf(2, 'bob')],
      session: [
        sessionOf('acting', { accountId: 2, factor: 7, actor: actorOf(1, 'ann') }, {}),
        sessionOf('own', { factor: 7 }, {}),
      ],
    },
  },
  'whose emails are in lower case': {
    version: 17,
    rows: `
      INSERT INTO roles (key, uuid, label) VALUES ('editor', 'uuid', 'Editor');
      INSERT INTO accounts (email, epoch, created_at) VALUES
        ('ann@example.org', 1, 1), ('bob@bücher.example', 1, 1), ('νικος@example.org', 1, 1),
        ('νικοσ@example.org', 1, 1), ('a\u00adb@straße.example', 1, 1), ('eve@example.org.', 1, 1);
      INSERT INTO memberships (account_id, role_key, email) SELECT id, 'editor', email FROM accounts`,
    records: {
      account: [
        ['ann@example.org', {}],
        ['bob@xn--bcher-kva.example', { enteredEmail: 'bob@bücher.example' }],
        ['νικος@example.org', { sharedEmail: 'νικοσ@example.org' }],
        ['νικοσ@example.org', { sharedEmail: 'νικοσ@example.org' }],
        ['a\u00adb@straße.example', {}],
        ['eve@example.org', { enteredEmail: 'eve@example.org.' }],
      ].map(([email, more], index) => ({
        ...accountOf(index + 1, '', { email, roles: ['editor'] }),
        ...(more as object),
      })),
    },
  },
}

describe('a SQLite file from an earlier release', () => {
  const inFolder = suiteFolder()
  let files = 0
  const newPath = () => inFolder(`${(files += 1)}.db`)

  async function connected<T>(path: string, work: (connection: Connection) => T): Promise<T> {
    const connection = await connect(path)
    try {
      return work(connection)
    } finally {
      connection.close()
    }
  }

  /** Returns the statement of every table, index and trigger (ignoring white space), the version, and all rows. */
  const stateOf = async (path: string) =>
    await connected(path, (connection) => {
      const rowsOf = (table: string) => connection.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()
      const tables = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .all()
        .map(String)
        // The journal records what happened to this file. A copy contains only proofs.
        .filter((table) => !['row_changes', 'reset_offers'].includes(table))
      const schema = connection.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all()
      return {
        version: setting(connection, 'PRAGMA user_version'),
        schema: schema.map((row) => row.map((text) => String(text).replace(/\s+/g, ' '))),
        rows: Object.fromEntries(tables.map((table) => [table, rowsOf(table)])),
      }
    })

  /** The upgraded file equals a new file into which the same records were copied, so every call behaves the same. */
  async function expectUpgraded(path: string, expected: Records): Promise<void> {
    const store = await openSqlite(path)
    const content = await contentOf(recordsOf(store))
    await store.close()
    const copied = newPath()
    const copy = await openSqlite(copied)
    for (const kind of RECORD_KINDS) await recordsOf(copy).put(kind, content.get(kind) as never)
    await copy.close()
    for (const [kind, records] of Object.entries(expected))
      expect(content.get(kind as RecordKind)).to.deep.equal(records)
    const state = await stateOf(path)
    expect(state.version).to.equal(MIGRATIONS.length)
    expect(state.schema).to.have.length.greaterThan(15)
    expect(state).to.deep.equal(await stateOf(copied))
  }

  it('is upgraded from version 1 to the current schema without losing records', async () => {
    const path = newPath()
    await connected(path, (connection) => connection.exec(VERSION_1_FILE))
    await expectUpgraded(path, VERSION_1)
  })

  for (const [what, { version, rows, records }] of Object.entries(EARLIER))
    it(`is upgraded from version ${version}, ${what}, to the current schema without losing records`, async () => {
      const path = newPath()
      const marks = `PRAGMA application_id = 1263423052; PRAGMA user_version = ${version}`
      await connected(path, (connection) => {
        for (const statement of [...MIGRATIONS.slice(0, version), marks, rows]) connection.exec(statement)
      })
      await expectUpgraded(path, records)
    })

  it('turns a reset token into a proof if release 0.8.0 stores the token after the upgrade', async () => {
    const path = newPath()
    const store = await openSqlite(path)
    await store.accounts.insert({ email: emailOf('ann') as never, createdAt: 1 })
    const issued = async (row: string) => {
      await connected(path, (connection) => connection.exec(`${TOKEN} ${row}`))
      return await store.proofs.listOf(1 as never)
    }
    const first = resetOf(1, 'ann')
    expect(await issued("(1, 'mail of ann', 'of ann', 9, 1)")).to.deep.equal([first])
    const again = { ...first, digest: 'again', until: 10 }
    expect(await issued("(1, 'mail of ann', 'again', 10, 1)")).to.deep.equal([again])
    const use = { digest: 'again' as never, at: 9 }
    expect(await store.proofs.resetPassword(use, 'hash' as never)).to.equal(1)
    expect(await store.proofs.resetPassword(use, 'hash' as never)).to.equal('spent')
    await store.close()
  })
})

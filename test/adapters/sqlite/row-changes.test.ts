import { expect } from 'chai'
import { connect, type Connection } from '../../../src/adapters/sqlite/driver.js'
import { createRowChanges, type RowChanges } from '../../../src/adapters/sqlite/row-changes.js'
import { migrate, setting } from '../../../src/adapters/sqlite/schema.js'
import { suiteFolder } from '../../support/temporary-folder.js'

const ROWS = `
  INSERT INTO roles (key, uuid, label) VALUES ('editor', 'uuid', 'Editor');
  INSERT INTO accounts (email, epoch, created_at) VALUES ('ann@example.org', 1, 1), ('bob@example.org', 1, 1);
  INSERT INTO memberships (account_id, role_key) VALUES (1, 'editor');
  INSERT INTO sessions (
    id, account_id, epoch, created_at, ends_at, number, pair_id, kid, issued_at, idle_ends_at, odd_digest, purge_at
  ) VALUES ('s', 1, 1, 1, 9, 1, 'pair', 'kid', 1, 9, 'digest of s', 9);
  INSERT INTO api_keys (name, digest, created_at) VALUES ('ci', 'digest', 1);
  INSERT INTO api_key_roles VALUES (1, 'editor');
  INSERT INTO pets (name, revision) VALUES ('Rex', 1)`

const SESSION_COLUMNS = `
  account_id, epoch, created_at, ends_at, number, pair_id, kid, issued_at, idle_ends_at, odd_digest, purge_at`

const OTHER_SESSION = `
  INSERT INTO sessions (id, ${SESSION_COLUMNS})
  SELECT 't', ${SESSION_COLUMNS.replace('odd_digest', "'of t'")} FROM sessions`
const OTHER_KEY = "INSERT INTO api_keys (name, digest, created_at) VALUES ('b', 'b', 1)"
const BOTH_ACCOUNTS = ['account 1', 'account 2']
const BOTH_KEYS = ['apiKey 1', 'apiKey 2']

const CHANGES: Readonly<Record<string, readonly string[]>> = {
  "UPDATE sessions SET number = 3, odd_digest = 'next'": ['session s'],
  "UPDATE sessions SET id = 't'": ['session s'],
  'DELETE FROM sessions': ['session s'],
  [OTHER_SESSION]: ['session t'],
  [OTHER_SESSION.replace('INSERT', 'REPLACE').replace("'of t'", 'odd_digest')]: ['session s', 'session t'],
  [`${OTHER_SESSION}; UPDATE OR REPLACE sessions SET id = 's' WHERE id = 't'`]: ['session s', 'session t'],
  'UPDATE accounts SET disabled_at = 5 WHERE id = 1': ['account 1'],
  'UPDATE accounts SET epoch = epoch + 1': BOTH_ACCOUNTS,
  'DELETE FROM accounts WHERE id = 1': ['account 1'],
  "INSERT INTO accounts (email, epoch, created_at) VALUES ('eve@example.org', 1, 1)": ['account 3'],
  "REPLACE INTO accounts (email, epoch, created_at) VALUES ('bob@example.org', 1, 1)": [
    'account 2',
    'account 3',
  ],
  "UPDATE OR REPLACE accounts SET email = 'bob@example.org' WHERE id = 1": BOTH_ACCOUNTS,
  'UPDATE OR REPLACE accounts SET id = 2 WHERE id = 1': BOTH_ACCOUNTS,
  "INSERT INTO memberships (account_id, role_key) VALUES (2, 'editor')": ['account 2'],
  'UPDATE memberships SET account_id = 2': BOTH_ACCOUNTS,
  'DELETE FROM memberships': ['account 1'],
  'UPDATE api_keys SET revoked_at = 5': ['apiKey 1'],
  [OTHER_KEY]: ['apiKey 2'],
  "REPLACE INTO api_keys (name, digest, created_at) VALUES ('ci', 'digest', 1)": BOTH_KEYS,
  [`${OTHER_KEY}; UPDATE OR REPLACE api_keys SET digest = 'b' WHERE id = 1`]: BOTH_KEYS,
  [`${OTHER_KEY}; UPDATE OR REPLACE api_keys SET id = 2 WHERE id = 1`]: BOTH_KEYS,
  "INSERT INTO api_key_roles VALUES (1, 'owner')": ['apiKey 1'],
  'UPDATE api_key_roles SET api_key_id = 2': BOTH_KEYS,
  'DELETE FROM api_key_roles': ['apiKey 1'],
  'DELETE FROM api_keys': ['apiKey 1'],
  "INSERT INTO pets (name, revision) VALUES ('Mia', 1)": ['pet', 'pet 2'],
  'UPDATE pets SET revision = 2': ['pet', 'pet 1'],
  'UPDATE OR REPLACE pets SET id = 2': ['pet', 'pet 1', 'pet 2'],
  'DELETE FROM pets': ['pet', 'pet 1'],
  "INSERT INTO projects (label, status, budget, created_by, created_at) VALUES ('a', 'b', 1, 1, 1)": [],
  'BEGIN; DELETE FROM sessions; DELETE FROM pets; ROLLBACK': [],
}

const CHANGES_OF_EVERYTHING: Readonly<Record<string, string>> = {
  'a role': "UPDATE roles SET label = 'Another'",
  'a new role': "INSERT INTO roles (key, uuid, label) VALUES ('owner', 'uuid 2', 'Owner')",
  'a removed role': 'PRAGMA foreign_keys = OFF; DELETE FROM roles',
  'a role among other rows':
    "UPDATE pets SET revision = 3; UPDATE roles SET label = 'B'; DELETE FROM sessions",
  'a journal without its last change': 'DELETE FROM row_changes',
  'more changes than the journal keeps': 'UPDATE pets SET revision = revision + 1; '.repeat(1_200),
  'a journal that was rolled back and reused its last number':
    'DELETE FROM row_changes WHERE number = (SELECT max(number) FROM row_changes); UPDATE pets SET revision = 3',
  'another journal with the same numbers': 'UPDATE row_changes SET mark = mark + 1',
}

const EVERYTHING = [
  ...['session s', 'session t', 'account 1', 'account 2', 'account 3', 'apiKey 1', 'apiKey 2'],
  ...['pet', 'pet 1', 'pet 2', 'session other'],
]

describe('the journal of row changes', () => {
  const inFolder = suiteFolder()
  let path: string
  let files = 0
  let reader: Connection
  let writer: Connection
  let changes: RowChanges

  beforeEach(async () => {
    path = inFolder(`${(files += 1)}.db`)
    writer = await connect(path)
    writer.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
    migrate(writer)
    writer.exec(ROWS)
    reader = await connect(path)
    changes = createRowChanges(reader, () => undefined)
    changes.notice()
  })

  afterEach(() => {
    reader.close()
    writer.close()
  })

  const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

  async function changedBy(sql: string, connection = writer): Promise<readonly string[]> {
    const before = changes.now()
    await nextTurn()
    if (connection === reader) changes.expectOwn()
    connection.exec(sql)
    changes.notice()
    return EVERYTHING.filter((row) => !changes.areUnchanged([row], before))
  }

  for (const [sql, expected] of Object.entries(CHANGES))
    it(`lists the rows changed by ${sql.replace(/\s+/g, ' ').slice(0, 70)}`, async () => {
      writer.exec('PRAGMA foreign_keys = OFF')
      expect(await changedBy(sql)).to.have.members(expected)
    })

  for (const [what, sql] of Object.entries(CHANGES_OF_EVERYTHING))
    it(`treats all rows as changed because of ${what}`, async () => {
      expect(await changedBy(sql)).to.deep.equal(EVERYTHING)
      // The first change after an empty journal also counts as a change of all rows.
      await changedBy('UPDATE pets SET revision = 8')
      expect(await changedBy('UPDATE pets SET revision = 9')).to.deep.equal(['pet', 'pet 1'])
    })

  it('detects a write by the reading connection in the same event loop turn', () => {
    const before = changes.now()
    changes.notice()
    changes.expectOwn()
    reader.exec('DELETE FROM sessions')
    changes.notice()
    expect(changes.areUnchanged(['session s'], before)).to.equal(false)
  })

  it('retains about a thousand changes', async () => {
    const count = () => Number(setting(reader, 'SELECT count(*) FROM row_changes'))
    const counts: number[] = []
    for (let batch = 0; batch < 30; batch += 1) {
      writer.exec(`BEGIN; ${'UPDATE pets SET revision = revision + 1; '.repeat(150)} COMMIT`)
      counts.push(count())
    }
    expect(Math.max(...counts)).to.be.within(1_000, 1_100)
  })

  /** Records changes to 500 other pets per batch. The oldest row names are forgotten after 5,000 new names. */
  async function changePets(batches: number): Promise<void> {
    for (let batch = 0; batch < batches; batch += 1) {
      const values = Array.from({ length: 500 }, (_, index) => `('pet', ${batch * 500 + index})`)
      writer.exec(`INSERT INTO row_changes (kind, key) VALUES ${values.join()}`)
      await nextTurn()
      changes.notice()
    }
  }

  it('forgets old row names, and then treats earlier reads of rows as outdated', async () => {
    const first = changes.now()
    await changePets(30)
    const last = changes.now()
    expect(changes.areUnchanged(['session s'], first)).to.equal(false)
    expect(changes.areUnchanged(['session s'], last)).to.equal(true)
    expect(changes.areUnchanged(['pet 14999'], last - 1)).to.equal(false)
  })

  it('treats rows as changed if a role has changed, even after the row names have been forgotten', async () => {
    await changePets(11)
    const before = changes.now()
    await changedBy("UPDATE roles SET label = 'Another'")
    await changePets(11)
    expect(changes.areUnchanged(['session s'], before)).to.equal(false)
  })
})

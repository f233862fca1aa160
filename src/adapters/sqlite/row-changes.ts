import type { Connection, Value } from './driver.js'

type Recorded = readonly (readonly [event: string, rows: string])[]

/**
 * The statements that change rows of these kinds, with the kinds and keys that they change. An inserted row is named if it
 * replaces another row, or if it belongs to a list. `UPDATE OR REPLACE` removes another row without its delete
 * trigger; the digests of sessions are not compared then, because every refresh would pay for it. This is a part of a
 * schema step, so it never changes.
 */
const RECORDED: Recorded = [
  [
    'BEFORE INSERT ON sessions',
    `SELECT 'session', id FROM sessions
     WHERE id = NEW.id OR odd_digest = NEW.odd_digest OR even_digest = NEW.even_digest`,
  ],
  [
    'BEFORE UPDATE OF id ON sessions',
    "SELECT 'session', id FROM sessions WHERE id = NEW.id AND id <> OLD.id",
  ],
  ['AFTER UPDATE ON sessions', "VALUES ('session', OLD.id)"],
  ['AFTER DELETE ON sessions', "VALUES ('session', OLD.id)"],
  ['BEFORE INSERT ON accounts', "SELECT 'account', id FROM accounts WHERE id = NEW.id OR email = NEW.email"],
  [
    'BEFORE UPDATE OF id, email ON accounts',
    "SELECT 'account', id FROM accounts WHERE id <> OLD.id AND (id = NEW.id OR email = NEW.email)",
  ],
  ['AFTER UPDATE ON accounts', "VALUES ('account', OLD.id)"],
  ['AFTER DELETE ON accounts', "VALUES ('account', OLD.id)"],
  ['AFTER INSERT ON memberships', "VALUES ('account', NEW.account_id)"],
  ['AFTER UPDATE ON memberships', "VALUES ('account', OLD.account_id)"],
  ['AFTER UPDATE OF account_id ON memberships', "VALUES ('account', NEW.account_id)"],
  ['AFTER DELETE ON memberships', "VALUES ('account', OLD.account_id)"],
  ['AFTER INSERT ON roles', "VALUES ('role', NEW.key)"],
  ['AFTER UPDATE ON roles', "VALUES ('role', OLD.key)"],
  ['AFTER DELETE ON roles', "VALUES ('role', OLD.key)"],
  ['BEFORE INSERT ON api_keys', "SELECT 'apiKey', id FROM api_keys WHERE id = NEW.id OR digest = NEW.digest"],
  [
    'BEFORE UPDATE OF id, digest ON api_keys',
    "SELECT 'apiKey', id FROM api_keys WHERE id <> OLD.id AND (id = NEW.id OR digest = NEW.digest)",
  ],
  ['AFTER UPDATE ON api_keys', "VALUES ('apiKey', OLD.id)"],
  ['AFTER DELETE ON api_keys', "VALUES ('apiKey', OLD.id)"],
  ['AFTER INSERT ON api_key_roles', "VALUES ('apiKey', NEW.api_key_id)"],
  ['AFTER UPDATE ON api_key_roles', "VALUES ('apiKey', OLD.api_key_id)"],
  ['AFTER UPDATE OF api_key_id ON api_key_roles', "VALUES ('apiKey', NEW.api_key_id)"],
  ['AFTER DELETE ON api_key_roles', "VALUES ('apiKey', OLD.api_key_id)"],
  ['AFTER INSERT ON pets', "VALUES ('pet', NEW.id)"],
  ['AFTER UPDATE ON pets', "VALUES ('pet', OLD.id)"],
  ['AFTER UPDATE OF id ON pets', "VALUES ('pet', NEW.id)"],
  ['AFTER DELETE ON pets', "VALUES ('pet', OLD.id)"],
]

/**
 * The journal of changed rows. Triggers write it, so every writer does, even an operator with `sqlite3`. It keeps the last
 * 1,000 changes. `mark` is random: a number that another history of the file has used again has another mark.
 */
export const ROW_CHANGES_STEP = `
  CREATE TABLE row_changes (
    number INTEGER PRIMARY KEY, mark INTEGER NOT NULL DEFAULT (random() >> 11), kind TEXT NOT NULL, key ANY NOT NULL
  ) STRICT;
  CREATE TRIGGER prune_row_changes AFTER INSERT ON row_changes WHEN NEW.number % 100 = 0 BEGIN
    DELETE FROM row_changes WHERE number <= NEW.number - 1000;
  END;
  ${RECORDED.map(recordingTrigger).join('\n  ')}
`

/**
 * Every other inserted row. Without it, a copy of the file from before the insertion, restored into the file, would have the
 * same journal, and the vanished row would stay cached.
 */
const RECORDED_INSERTS: Recorded = [
  ['AFTER INSERT ON sessions', "VALUES ('session', NEW.id)"],
  ['AFTER INSERT ON accounts', "VALUES ('account', NEW.id)"],
  ['AFTER INSERT ON api_keys', "VALUES ('apiKey', NEW.id)"],
]

/** A part of a schema step too. Its own entry is missing from every copy from before this step, which lacks the triggers. */
export const INSERTED_ROWS_STEP = `
  INSERT INTO row_changes (kind, key) VALUES ('role', '');
  ${RECORDED_INSERTS.map(recordingTrigger).join('\n  ')}
`

function recordingTrigger([event, rows]: Recorded[number]): string {
  const name = `record_${event.toLowerCase().replace(/\W+/g, '_')}`
  return `CREATE TRIGGER ${name} ${event} BEGIN INSERT INTO row_changes (kind, key) ${rows}; END;`
}

/** The rows that a cached answer was read from: a kind, or a kind and a key, such as `pet` and `pet 5`. */
export type RowNames = readonly string[]

/** Which rows have changed since they were read. */
export type RowChanges = {
  /**
   * Must be called before a cached answer is used. Reads what any process has committed, once for all calls of a turn of
   * the event loop.
   */
  notice(): void
  /** Must be called before this connection writes. */
  expectOwn(): void
  /** The present point in time: it grows if a change is noticed. */
  now(): number
  /** Whether no other process has committed since the last `notice`, so that a read after it has read the same state. */
  isSettled(): boolean
  /** Whether none of the rows has changed after this point in time. */
  areUnchanged(rows: RowNames, since: number): boolean
}

type Change = readonly [number: number, mark: number, kind: string, key: string | number]

/** The names of a generation, of some 100 bytes each. */
const REMEMBERED = 5_000

/**
 * Notices commits of other processes by SQLite's change counter, and then reads the changed rows from the journal. If
 * the last change that was read is missing from the journal, everything counts as changed; `assertSchema` is called then,
 * because the file may be a copy from before an upgrade.
 */
export function createRowChanges(connection: Connection, assertSchema: () => void): RowChanges {
  const dataVersion = connection.prepare('PRAGMA data_version')
  const journal = prepareJournal(connection)
  const names = createChangedNames()
  let seen: Value | undefined
  let last: Change | undefined
  let isOwnExpected = false
  let hasLooked = false

  function follow(): void {
    const changes = last && journal.from(last)
    if (!changes) {
      names.addAll()
      assertSchema()
      last = journal.newest()
    } else if (changes.length > 0) {
      last = changes.at(-1)
      names.add(changes)
    }
  }

  return {
    notice: () => {
      if (hasLooked) return
      const version = dataVersion.get()?.[0]
      if (version !== seen || isOwnExpected) follow()
      seen = version
      isOwnExpected = false
      hasLooked = true
      process.nextTick(() => (hasLooked = false))
    },
    expectOwn: () => {
      isOwnExpected = true
      hasLooked = false
    },
    isSettled: () => dataVersion.get()?.[0] === seen,
    now: names.now,
    areUnchanged: names.areUnchanged,
  }
}

function prepareJournal({ prepare }: Pick<Connection, 'prepare'>) {
  const columns = 'SELECT number, mark, kind, key FROM row_changes'
  const from = prepare<Change>(`${columns} WHERE number >= ? ORDER BY number`)
  const newest = prepare<Change>(`${columns} ORDER BY number DESC LIMIT 1`)
  return {
    newest: () => newest.get(),
    /** The changes after this change, or `undefined` if the journal does not have this change. */
    from: ([number, mark]: Change): readonly Change[] | undefined => {
      const [same, ...later] = from.all(number)
      return same?.[0] === number && same[1] === mark ? later : undefined
    },
  }
}

/** When rows have changed, in two generations of names. Rows that were read before `oldest` count as changed. */
function createChangedNames() {
  let [now, oldest, middle] = [0, 0, 0]
  let young = new Map<string, number>()
  let old: ReadonlyMap<string, number> = new Map()

  /** `old` names the changes until `middle`. */
  function forgetOldest(): void {
    oldest = Math.max(oldest, middle)
    middle = now
    old = young
    young = new Map()
  }

  function addAll(): void {
    now += 1
    oldest = now
  }

  return {
    now: () => now,
    addAll,
    add: (changes: readonly Change[]): void => {
      if (changes.some(([, , kind]) => kind === 'role')) {
        addAll()
        return
      }
      now += 1
      for (const [, , kind, key] of changes) {
        young.set(kind, now)
        young.set(`${kind} ${key}`, now)
      }
      if (young.size > REMEMBERED) forgetOldest()
    },
    areUnchanged: (rows: RowNames, since: number): boolean =>
      since >= oldest && rows.every((row) => Math.max(young.get(row) ?? 0, old.get(row) ?? 0) <= since),
  }
}

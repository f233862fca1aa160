import type { Value } from '../sql/statements.js'
import type { Connection } from './driver.js'

type Recorded = readonly (readonly [event: string, rows: string])[]

/**
 * Pairs of a trigger event and a query that returns the kinds and keys of the changed rows. An insertion is recorded if the row replaces an
 * existing row or belongs to a list. `UPDATE OR REPLACE` removes a conflicting row without firing its delete trigger, so updates of unique
 * columns record such a row. Updates of session digests do not, because the comparison would slow down every refresh. This constant is part
 * of a schema step, so it never changes.
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
 * The journal of changed rows. Triggers write the journal, so every writer records its changes, even an operator who uses `sqlite3`. The
 * journal keeps the last 1,000 changes. `mark` is random, so a change number that is reused (for example, after a copy of the file is
 * restored) has a different mark.
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
 * Records insertions that the earlier triggers do not record. Otherwise, restoring a copy of the file from before the insertion would leave
 * the journal unchanged, and the missing row would stay cached.
 */
const RECORDED_INSERTS: Recorded = [
  ['AFTER INSERT ON sessions', "VALUES ('session', NEW.id)"],
  ['AFTER INSERT ON accounts', "VALUES ('account', NEW.id)"],
  ['AFTER INSERT ON api_keys', "VALUES ('apiKey', NEW.id)"],
]

/** Part of a schema step: creates the triggers, and a journal entry that distinguishes the file from older copies. */
export const INSERTED_ROWS_STEP = `
  INSERT INTO row_changes (kind, key) VALUES ('role', '');
  ${RECORDED_INSERTS.map(recordingTrigger).join('\n  ')}
`

function recordingTrigger([event, rows]: Recorded[number]): string {
  const name = `record_${event.toLowerCase().replace(/\W+/g, '_')}`
  return `CREATE TRIGGER ${name} ${event} BEGIN INSERT INTO row_changes (kind, key) ${rows}; END;`
}

/** Names the rows that a cached result was read from: `pet` means all pets, and `pet 5` means one pet. */
export type RowNames = readonly string[]

export type RowChanges = ReturnType<typeof createRowChanges>

type Change = readonly [number: number, mark: number, kind: string, key: string | number]

/** Maximum number of names in `young`; a name takes about 100 bytes. */
const REMEMBERED = 5_000

/**
 * Detects commits by other processes with SQLite's change counter, and then reads the changed rows from the journal. If the journal no
 * longer contains the last change that was read, all rows count as changed, and `assertSchema` is called, because the file may be a copy
 * from before an upgrade.
 */
export function createRowChanges(connection: Connection, assertSchema: () => void) {
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
    /** Must be called before a cached result is used. Reads the changes of all processes once per event loop turn. */
    notice: (): void => {
      if (hasLooked) return
      const version = dataVersion.get()?.[0]
      if (version !== seen || isOwnExpected) follow()
      seen = version
      isOwnExpected = false
      hasLooked = true
      process.nextTick(() => (hasLooked = false))
    },
    expectOwn: (): void => {
      isOwnExpected = true
      hasLooked = false
    },
    /** Returns `true` if no other process has committed since the last `notice`, so that all reads since then saw the same state. */
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
    /** Returns the changes that follow the given change, or `undefined` if the journal does not contain the given change. */
    from: ([number, mark]: Change): readonly Change[] | undefined => {
      const [same, ...later] = from.all(number)
      return same?.[0] === number && same[1] === mark ? later : undefined
    },
  }
}

/** Stores when each row changed, in two generations of row names. Rows that were read before the time `oldest` count as changed. */
function createChangedNames() {
  let [now, oldest, middle] = [0, 0, 0]
  let young = new Map<string, number>()
  let old: ReadonlyMap<string, number> = new Map()

  /** Discards `old`, which contains the changes up to the time `middle`. */
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
    /** Returns the current logical time, which increases whenever a change is noticed. */
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
    /** Returns `true` if none of the rows has changed since the given logical time. */
    areUnchanged: (rows: RowNames, since: number): boolean =>
      since >= oldest && rows.every((row) => Math.max(young.get(row) ?? 0, old.get(row) ?? 0) <= since),
  }
}

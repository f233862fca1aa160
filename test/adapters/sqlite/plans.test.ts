import { expect } from 'chai'

import { createAccounts } from '../../../src/adapters/sqlite/accounts.js'
import { createApiKeys } from '../../../src/adapters/sqlite/api-keys.js'
import { createAuditLog } from '../../../src/adapters/sqlite/audit-log.js'
import type { Database } from '../../../src/adapters/sqlite/database.js'
import { connect, type Row } from '../../../src/adapters/sqlite/driver.js'
import { createMailQueue } from '../../../src/adapters/sqlite/mail-queue.js'
import { createPets } from '../../../src/adapters/sqlite/pets.js'
import { createProjects } from '../../../src/adapters/sqlite/projects.js'
import { createRowCaches } from '../../../src/adapters/sqlite/row-cache.js'
import { createRevocations } from '../../../src/adapters/sqlite/revocations.js'
import { createRoles } from '../../../src/adapters/sqlite/roles.js'
import { createSecondFactors } from '../../../src/adapters/sqlite/second-factors.js'
import { createSessions } from '../../../src/adapters/sqlite/sessions.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import { suiteFolder } from '../../support/temporary-folder.js'

/**
 * The call that gives a whole table, and those that go over the mails that wait: no more wait
 * than may, and a claim ends at the first that is free.
 */
const LISTS = [
  /FROM roles ORDER BY key$/,
  /\(SELECT count\(\*\) FROM mail_jobs\) < \?$/,
  /^SELECT id FROM mail_jobs WHERE due_at <= \? AND claimed_until <= \? ORDER BY id LIMIT 1$/,
  /^UPDATE mail_jobs SET claimed_until = \?/,
]

/** The account of an actor; a session without one does not come so far. */
const ACTOR = ['CORRELATED SCALAR SUBQUERY 1', 'SEARCH b USING INTEGER PRIMARY KEY (rowid=?)']

describe('the plans of the SQLite statements', () => {
  const inFolder = suiteFolder()

  async function plans(): Promise<Map<string, readonly string[]>> {
    const path = inFolder('plans.db')
    await (await openSqlite(path)).close()
    const connection = await connect(path)
    const found = new Map<string, readonly string[]>()
    const recording: Database = {
      prepare: <R extends Row>(sql: string) => {
        const steps = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
        found.set(
          sql,
          steps.map((step) => String(step.at(-1))),
        )
        return connection.prepare<R>(sql)
      },
      rowCaches: createRowCaches(connection),
      read: async (work) => await Promise.resolve(work()),
      readCached: async (work) => await Promise.resolve(work()),
      write: async (work) => await Promise.resolve(work()),
      writeBack: async () => {
        await Promise.resolve()
      },
      ready: async () => {
        await Promise.resolve()
      },
      close: async () => {
        await Promise.resolve()
      },
    }
    const ports = [
      ...[createAccounts, createApiKeys, createPets, createProjects, createRevocations, createRoles],
      ...[createSessions, createAuditLog, createMailQueue, createSecondFactors],
    ]
    ports.forEach((create) => create(recording))
    connection.close()
    return found
  }

  it('never read a whole table, but for those that list one and the few mails that wait', async () => {
    const found = await plans()
    const scanning = [...found].filter(([, steps]) =>
      steps.some((one) => /^SCAN (?!\(subquery|CONSTANT ROW|json_each)/.test(one)),
    )
    expect(found.size).to.be.greaterThan(35)
    expect(scanning.map(([sql]) => LISTS.findIndex((list) => list.test(sql)))).to.have.members([0, 1, 2, 3])
  })

  it('never sort, because the index has the order already', async () => {
    const found = await plans()
    const sorting = [...found].filter(([, steps]) => steps.some((one) => one.includes('TEMP B-TREE')))
    expect(sorting.map(([sql]) => sql)).to.deep.equal([])
  })

  it('find a session by its digests and nothing else', async () => {
    const found = await plans()
    const steps = [...found].find(([sql]) => sql.includes('s.odd_digest = ?'))?.[1] ?? []
    const text = steps.join('\n')
    expect(text).to.match(/SEARCH s USING INDEX sessions_by_odd_digest \(odd_digest=\?\)/)
    expect(text).to.match(/SEARCH s USING INDEX sessions_by_even_digest \(even_digest=\?\)/)
  })

  it('write for a refresh the row of its session and one index', async () => {
    const path = inFolder('refresh.db')
    await (await openSqlite(path)).close()
    const connection = await connect(path)
    const written = [...(await plans()).keys()]
      .filter((sql) => sql.includes('previous_pair_id = pair_id'))
      .map((sql) => connection.prepare(`EXPLAIN ${sql}`).all())
      .map((steps) => steps.filter((step) => step[1] === 'IdxInsert').length)
    connection.close()
    expect(written).to.deep.equal([1, 1])
  })

  it('look for a reset token by the email of its account', async () => {
    const found = await plans()
    const resets = [...found].filter(([sql]) => sql.includes('t.digest = ? AND'))
    expect(resets).to.have.length(2)
    for (const [, steps] of resets) {
      const searches = steps
        .filter((step) => /SEARCH|SCAN/.test(step))
        .map((step) => step.replace(' EXISTS', ''))
      expect(searches).to.deep.equal([
        'SEARCH accounts USING INDEX sqlite_autoindex_accounts_1 (email=?)',
        'SEARCH accounts USING INDEX accounts_by_shared_email (shared_email=?)',
        'SEARCH t USING INDEX reset_offers_by_account (account_id=?)',
      ])
    }
  })

  it('ask for a revocation by two keys, and purge by the end', async () => {
    const found = await plans()
    const [ask, purge] = ['AND NOT EXISTS (SELECT 1 FROM revocations', 'DELETE FROM revocations'].map(
      (text) => [...found].find(([sql]) => sql.includes(text))?.[1] ?? [],
    )
    expect(ask).to.include('SEARCH accounts USING INTEGER PRIMARY KEY (rowid=?)')
    expect(ask?.filter((step) => step.includes('revocations'))).to.deep.equal([
      'SEARCH revocations USING PRIMARY KEY (session_id=?)',
    ])
    expect(purge?.filter((step) => step.includes('revocations'))).to.deep.equal([
      'SEARCH revocations USING PRIMARY KEY (session_id=?)',
      'SEARCH revocations USING COVERING INDEX revocations_by_end (until<?)',
    ])
  })

  it('read a page of the audit log from an index that has its order, of an account from two', async () => {
    const found = await plans()
    const pages = [...found].filter(
      ([sql]) =>
        /FROM audit_records\s+WHERE.*ORDER BY id (?:DESC )?LIMIT \?$/s.test(sql) && !/^SELECT id /.test(sql),
    )
    const inDirection = (ids: string) => {
      const range = (index: string, column: string) =>
        `SEARCH audit_records USING INDEX audit_records_by_${index} (${column}=? AND ${ids})`
      const ofAccount = [
        ...['MERGE (UNION ALL)', 'LEFT', range('account', 'account_id')],
        ...['RIGHT', range('other_account', 'other_account_id')],
      ]
      const ofAll = [`SEARCH audit_records USING PRIMARY KEY (${ids})`]
      return [ofAll, ofAll, [range('event', 'event')], ofAccount, ofAccount]
    }
    expect(pages.map(([, steps]) => steps)).to.deep.equal([
      ...inDirection('id>?'),
      ...inDirection('id>? AND id<?'),
    ])
  })

  it('look for the records of an account that is forgotten in the indexes of its records', async () => {
    const found = await plans()
    const walks = [...found].filter(([sql]) => sql.startsWith('SELECT id FROM audit_records'))
    expect(walks.map(([, steps]) => steps)).to.deep.equal([
      ['SEARCH audit_records USING COVERING INDEX audit_records_by_account (account_id=? AND id>?)'],
      [
        'SEARCH audit_records USING COVERING INDEX audit_records_by_other_account (other_account_id=? AND id>?)',
      ],
    ])
  })

  it('read a page of accounts by their ids, forwards and back', async () => {
    const found = await plans()
    const pages = [...found].filter(([sql]) => /FROM accounts AS a WHERE a\.id [<>] \?/.test(sql))
    expect(pages.map(([, steps]) => steps.filter((one) => /^S\w+ a /.test(one)))).to.deep.equal([
      ['SEARCH a USING INTEGER PRIMARY KEY (rowid>?)'],
      ['SEARCH a USING INTEGER PRIMARY KEY (rowid<?)'],
    ])
  })

  it('search for accounts in one range of the index of what is asked for together', async () => {
    const found = await plans()
    const searches = [...found].filter(([sql]) => sql.includes('INDEXED BY'))
    const range = 'email>? AND email<?'
    const roles = 'SEARCH m USING COVERING INDEX memberships_by_email (email=?)'
    expect(searches.map(([, steps]) => steps.filter((one) => /^S\w+ [am] /.test(one)))).to.deep.equal([
      [`SEARCH a USING INDEX sqlite_autoindex_accounts_1 (${range})`, roles],
      [`SEARCH a USING INDEX accounts_of_disabled (${range})`, roles],
      ...['memberships_by_role', 'memberships_of_disabled'].map((index) => [
        `SEARCH m USING COVERING INDEX ${index} (role_key=? AND ${range})`,
        'SEARCH a USING INTEGER PRIMARY KEY (rowid=?)',
        roles,
      ]),
    ])
  })

  it('read a page of the projects of an account from an index that has its order', async () => {
    const found = await plans()
    const steps = [...found].find(([sql]) => /FROM projects WHERE created_by = \? AND id > \?/.test(sql))?.[1]
    expect(steps).to.deep.equal(['SEARCH projects USING INDEX projects_by_creator (created_by=? AND id>?)'])
  })

  it('purge the audit log by its ids', async () => {
    const found = await plans()
    const steps = [...found].find(([sql]) => sql.includes('DELETE FROM audit_records'))?.[1] ?? []
    expect(steps.filter((step) => step.includes('audit_records'))).to.deep.equal([
      'SEARCH audit_records USING PRIMARY KEY (id=?)',
      'SEARCH audit_records USING PRIMARY KEY (id<?)',
    ])
  })

  it('end the sessions of an account, and those in which it acts, by their indexes', async () => {
    const found = await plans()
    const ends = [...found].filter(([sql]) => /^\s*DELETE FROM sessions .*\bs\.id <> \?/s.test(sql))
    const ofAccount = 'SEARCH s USING INDEX sessions_by_account (account_id=?)'
    expect(ends.map(([, steps]) => steps.filter((step) => /^\w+ s /.test(step)))).to.deep.equal([
      [ofAccount],
      [ofAccount],
      ['SEARCH s USING INDEX sessions_by_actor (actor_id=?)'],
    ])
  })

  it('begin a page of sessions where the page before ended', async () => {
    const found = await plans()
    const steps = [...found].find(([sql]) => sql.includes('ORDER BY s.created_at'))?.[1] ?? []
    expect(steps).to.deep.equal([
      'SEARCH a USING INTEGER PRIMARY KEY (rowid=?)',
      'SEARCH s USING INDEX sessions_by_account (account_id=? AND (created_at,id)>(?,?))',
      ...ACTOR,
    ])
  })
})

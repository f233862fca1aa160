import { expect } from 'chai'

import { createAccounts } from '../../../src/adapters/sqlite/accounts.js'
import { createApiKeys } from '../../../src/adapters/sqlite/api-keys.js'
import { createAuditLog } from '../../../src/adapters/sqlite/audit-log.js'
import type { Database } from '../../../src/adapters/sqlite/database.js'
import { connect } from '../../../src/adapters/sqlite/driver.js'
import { createPasskeys } from '../../../src/adapters/sqlite/passkeys.js'
import { createPets } from '../../../src/adapters/sqlite/pets.js'
import { createProofs } from '../../../src/adapters/sqlite/proofs.js'
import { createRowCaches } from '../../../src/adapters/sqlite/row-cache.js'
import { createRevocations } from '../../../src/adapters/sqlite/revocations.js'
import { createRoles } from '../../../src/adapters/sqlite/roles.js'
import { createSecondFactors } from '../../../src/adapters/sqlite/second-factors.js'
import { createSessions } from '../../../src/adapters/sqlite/sessions.js'
import { statementsOf } from '../../../src/adapters/sqlite/statements.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import { createMailQueue } from '../../../src/adapters/sql/mail-queue.js'
import { createProjects } from '../../../src/adapters/sql/projects.js'
import type { Row } from '../../../src/adapters/sql/statements.js'
import { suiteFolder } from '../../support/temporary-folder.js'

/**
 * The statements that may scan a whole table: those that list the roles and find the first unclaimed email. When a role
 * is created or deleted, SQLite scans the roles of API keys, of which there are few.
 */
const LISTS = [
  /^INSERT INTO roles /,
  /^DELETE FROM roles /,
  /^DELETE FROM api_key_roles WHERE role_key = \?$/,
  /FROM api_key_roles AS m JOIN api_keys/,
  /FROM roles ORDER BY key$/,
  /\(SELECT count\(\*\) FROM mail_jobs\) < \?$/,
  /^SELECT id FROM mail_jobs WHERE due_at <= \? AND claimed_until <= \? ORDER BY id LIMIT 1$/,
  /^UPDATE mail_jobs SET claimed_until = \?/,
]

const sessionsOf = 'SEARCH s USING INDEX sessions_by_account (account_id=?)'
const audit = (index: string) => `SEARCH audit_records USING ${index}`
const EMAILS = 'email>? AND email<?'
const ROLES = 'SEARCH m USING COVERING INDEX memberships_by_email (email=?)'

const PROOF = [
  'SEARCH proofs USING INDEX proofs_by_digest (digest=?)',
  'SEARCH a USING INTEGER PRIMARY KEY (rowid=?)',
  'SEARCH o USING INDEX proofs_by_account (account_id=?)',
]

/** The plans of audit log pages in one direction: two for all records, one for an event, two for an account. */
function auditPages(ids: string): readonly (readonly string[])[] {
  const range = (index: string, column: string) =>
    audit(`INDEX audit_records_by_${index} (${column}=? AND ${ids})`)
  const ofAccount = [
    ...['MERGE (UNION ALL)', 'LEFT', range('account', 'account_id')],
    ...['RIGHT', range('other_account', 'other_account_id')],
  ]
  const ofAll = [audit(`PRIMARY KEY (${ids})`)]
  return [ofAll, ofAll, [range('event', 'event')], ofAccount, ofAccount]
}

type Case = readonly [statement: RegExp, step: RegExp, plans: readonly (readonly string[])[]]

/** For each case: the covered statements, the compared plan steps, and the expected steps. */
const CASES: Readonly<Record<string, Case>> = {
  'finds a proof by its digest, and newer reset proofs by their account': [
    /^SELECT .* FROM proofs WHERE digest = \?1 AND/,
    /SEARCH|SCAN/,
    [PROOF],
  ],
  'reads a page of the audit log from an index in its order, of an account from two indexes': [
    /^(?!SELECT id ).*FROM audit_records\s+WHERE.*ORDER BY id (?:DESC )?LIMIT \?$/s,
    /./,
    [...auditPages('id>?'), ...auditPages('id>? AND id<?')],
  ],
  'searches for accounts in one range of the index of all filters together': [
    /INDEXED BY/,
    /^S\w+ [am] /,
    [
      [`SEARCH a USING INDEX sqlite_autoindex_accounts_1 (${EMAILS})`, ROLES],
      [`SEARCH a USING INDEX accounts_of_disabled (${EMAILS})`, ROLES],
      ...['memberships_by_role', 'memberships_of_disabled'].map((index) => [
        `SEARCH m USING COVERING INDEX ${index} (role_key=? AND ${EMAILS})`,
        'SEARCH a USING INTEGER PRIMARY KEY (rowid=?)',
        ROLES,
      ]),
    ],
  ],
  'ends the sessions of an account, and of an actor, by indexes': [
    /^\s*DELETE FROM sessions .*\bs\.id <> \?/s,
    /^\w+ s /,
    [
      [sessionsOf],
      ['SEARCH s USING COVERING INDEX sessions_by_account (account_id=?)'],
      ['SEARCH s USING INDEX sessions_by_actor (actor_id=?)'],
    ],
  ],
  'begins a page of sessions at the end of the previous page': [
    /^\s*SELECT.*ORDER BY s\.created_at/s,
    /./,
    [
      [
        'SEARCH a USING INTEGER PRIMARY KEY (rowid=?)',
        'SEARCH s USING INDEX sessions_by_account (account_id=? AND (created_at,id)>(?,?))',
        // Reads the actor's account if the session has an actor.
        ...['CORRELATED SCALAR SUBQUERY 1', 'SEARCH b USING INTEGER PRIMARY KEY (rowid=?)'],
      ],
    ],
  ],
}

describe('the query plans of the SQLite statements', () => {
  const inFolder = suiteFolder()
  const plans = new Map<string, readonly string[]>()

  before(async () => {
    const path = inFolder('plans.db')
    await (await openSqlite(path)).close()
    const connection = await connect(path)
    const run = async <T>(work: () => T) => await Promise.resolve(work())
    const nothing = async () => undefined
    const recording: Database = {
      prepare: <R extends Row>(text: string) => {
        const sql = text.replace(/\{(\w+)\}/g, '$1')
        const steps = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
        plans.set(
          sql,
          steps.map((step) => String(step.at(-1))),
        )
        return connection.prepare<R>(sql)
      },
      rowCaches: createRowCaches(connection, () => undefined),
      ...{ read: run, readCached: run, write: run },
      ...{ writeBack: nothing, ready: nothing, close: nothing },
    }
    const ports = [
      ...[createAccounts, createApiKeys, createPets, createRevocations, createRoles],
      ...[createSessions, createAuditLog, createSecondFactors, createPasskeys, createProofs],
    ]
    ports.forEach((create) => create(recording))
    const shared = [createMailQueue, createProjects]
    shared.forEach((create) => create(statementsOf(recording)))
    connection.close()
  })

  it('scan a whole table only to list roles and waiting emails', () => {
    const scanning = [...plans].filter(([, steps]) =>
      steps.some((one) => /^SCAN (?!\(subquery|CONSTANT ROW|json_each)/.test(one)),
    )
    expect(plans.size).to.be.greaterThan(35)
    const found = scanning.map(([sql]) => LISTS.find((list) => list.test(sql)) ?? sql)
    expect(found).to.have.members(LISTS)
  })

  it('never sort', () => {
    const sorting = [...plans].filter(([, steps]) => steps.some((one) => one.includes('TEMP B-TREE')))
    expect(sorting.map(([sql]) => sql)).to.deep.equal([])
  })

  it('use an index to find a session by either digest', () => {
    const [, steps = []] = [...plans].find(([sql]) => sql.includes('s.odd_digest = ?')) ?? []
    for (const digest of ['odd_digest', 'even_digest'])
      expect(steps).to.include(`SEARCH s USING INDEX sessions_by_${digest} (${digest}=?)`)
  })

  for (const [title, [statement, step, expected]] of Object.entries(CASES))
    it(`show that SQLite ${title}`, () => {
      const found = [...plans].filter(([sql]) => statement.test(sql))
      const steps = found.map(([, all]) =>
        all.filter((one) => step.test(one)).map((one) => one.replace(' EXISTS', '')),
      )
      expect(steps).to.deep.equal(expected)
    })

  it('show that a refresh writes only the session row and one index', async () => {
    const connection = await connect(inFolder('plans.db'))
    const written = [...plans.keys()]
      .filter((sql) => sql.includes('previous_pair_id = pair_id'))
      .map((sql) => connection.prepare(`EXPLAIN ${sql}`).all())
      .map((steps) => steps.filter((step) => step[1] === 'IdxInsert').length)
    connection.close()
    expect(written).to.deep.equal([1, 1])
  })
})

import { execFile } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { connect } from '../../src/adapters/sqlite/driver.js'
import { lawsOf } from '../../src/contracts/index.js'
import { SILENT_LOG } from '../../src/ports/log.js'
import type { Store } from '../../src/ports/store.js'
import { EMAIL, openWithLogin } from '../embedding/opening.js'
import { installBuilt } from '../support/built-package.js'
import { NEW_PASSWORD, RESETS_PERMITTED } from '../support/http/resetting.js'
import { createPostbox, tokenIn } from '../support/mail/postbox.js'
import { expectShows } from '../support/pages/blocks.js'
import { PROJECT } from '../support/project.js'
import { refusalOf } from '../support/refusal-of.js'
import { suiteFolder } from '../support/temporary-folder.js'
import { presentedBy } from '../support/use-cases.js'

const run = promisify(execFile)
const EXAMPLE = join(PROJECT, 'examples', 'users-table')
const PORTS = [
  ...(['accounts', 'roles', 'sessions', 'proofs'] as const),
  ...(['pets', 'projects', 'attempts', 'audit', 'mailQueue'] as const),
]

describe('the example users-table', () => {
  const inFolder = suiteFolder()
  // Without this variable, the test runner prints its results instead of reporting them to a parent runner.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env

  before(() => {
    cpSync(EXAMPLE, inFolder(), { recursive: true })
    const entries = { '.': 'index', './ports': 'ports/index', './contracts': 'contracts/index' }
    installBuilt(inFolder(), { ...entries, './sqlite': 'adapters/sqlite/index' }, ['@photostructure/sqlite'])
  })

  it('satisfies every law of its ports', async () => {
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter', 'tap', 'laws.test.js'], {
      cwd: inFolder(),
      env,
      maxBuffer: 64 * 1024 * 1024,
    }).catch((error: unknown) => error as { stdout: string })
    expect(stdout.split('\n').filter((line) => /^\s*not ok/.test(line))).to.deep.equal([])
    // The suite has one test per law, and another test that checks that laws were found.
    const laws = PORTS.flatMap((port) => lawsOf(port)).length
    expect(laws).to.be.above(100)
    expect(/^# pass (\d+)$/m.exec(stdout)?.[1]).to.equal(String(laws + 1))
  })

  it('logs in a user with a string ID, and finds the table row for an identity', async () => {
    const secrets = {
      SECURITY_JWT_PASSPHRASE: 'Only-for-tests: 4 kennels & 12 hounds',
      PASSWORD: 'a quiet river at dusk',
    }
    const { stdout } = await run(process.execPath, ['log-in.js'], {
      cwd: inFolder(),
      env: { ...env, ...secrets },
    })
    expect(stdout).to.equal('usr_01HZX3 (Ada) is account 1\n')
  })

  it('resets the password of a user in the table by email, and ends the sessions of this user', async () => {
    const { default: openStore } = (await import(pathToFileURL(join(inFolder(), 'store.js')).href)) as {
      readonly default: (users: string, rest: string) => Promise<Store>
    }
    const store = await openStore(join(inFolder(), 'reset.db'), join(inFolder(), 'rest.db'))
    const { mailer, arrived } = createPostbox()
    const parts = { mailer, log: SILENT_LOG }
    const { kennel, issued } = await openWithLogin({ store, permissions: RESETS_PERMITTED, parts })
    try {
      await kennel.requestPasswordReset({ email: EMAIL, presented: {} })
      await kennel.sendMails()
      const reset = {
        ...{ email: EMAIL, resetToken: tokenIn(arrived[0]), password: NEW_PASSWORD },
        presented: {},
      }
      await kennel.consumeResetToken(reset)
      expect(await refusalOf(kennel.consumeResetToken(reset))).to.include({ code: 'invalid' })
      expect(await refusalOf(kennel.getIdentity(presentedBy(issued)))).to.include({ code: 'invalid-token' })
      const { identity } = await kennel.login({ email: EMAIL, password: NEW_PASSWORD, presented: {} })
      expect(identity.accountId).to.equal(issued.identity.accountId)
    } finally {
      await kennel.close()
      await store.close()
    }
  })

  it('leaves no data of a deleted user for the next user with the same ID, even without foreign keys', async () => {
    const database = await connect(':memory:')
    database.exec(`PRAGMA foreign_keys = OFF; ${readFileSync(join(EXAMPLE, 'schema.sql'), 'utf8')}`)
    const add = "INSERT OR IGNORE INTO users (id, email, created_at) VALUES ('ada', 'ada@example.com', 0)"
    database.exec(`${add}; INSERT INTO kennel_roles VALUES ('admin', 'u', 'l')`)
    database.exec("INSERT INTO kennel_memberships VALUES (1, 'admin')")
    database.exec(
      "INSERT INTO kennel_proofs (id, purpose, account_id, until, proof) VALUES ('p', 'undo-email', 1, 1, '{}')",
    )
    database.exec(`DELETE FROM users; ${add}`)
    const rows = (table: string) => database.prepare(`SELECT account_id FROM ${table}`).all()
    expect(rows('kennel_accounts')).to.deep.equal([[2]])
    for (const table of ['kennel_memberships', 'kennel_proofs']) expect(rows(table), table).to.deep.equal([])
    database.close()
  })

  it('appears verbatim on its page', () => {
    expectShows('docs/embed/users-table.md', 'users-table', ['store.js', 'log-in.js'])
  })
})

import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import { createMemoryStore } from '../../../src/adapters/memory/index.js'
import { systemDigest } from '../../../src/adapters/system/index.js'
import { exportUser as exportUserOperation } from '../../../src/application/accounts/export-user.js'
import { setAllPasswords as setAllPasswordsOperation } from '../../../src/application/accounts/user-passwords.js'
import { wrapPort } from '../../../src/application/wrap-port.js'
import { aNewAccount } from '../../../src/contracts/samples.js'
import { START } from '../../support/http/service.js'
import { authorizeByDefault } from '../../support/permissions.js'
import { retrying, SLOW } from '../../support/watched-store.js'

const audit = { record: () => Promise.resolve() } as never

const FAILURES = 2

/** Wraps the port so that each call times out twice before it succeeds. */
function slow<Port extends object>(port: Port): Port {
  let left = FAILURES
  return wrapPort(port, (call) => async (...args) => {
    if (left > 0) {
      left -= 1
      throw SLOW
    }
    left = FAILURES
    return await call(...args)
  })
}

describe('a task with many rows', () => {
  it('sets the password of every account even if each call times out several times', async () => {
    const { accounts, attempts } = createMemoryStore()
    for (const name of ['ada', 'bob', 'cy']) await accounts.insert(aNewAccount(name))
    const setAllPasswords = setAllPasswordsOperation.factory({
      authorize: authorizeByDefault,
      accounts: slow(accounts),
      attempts: slow(attempts),
      digest: systemDigest,
      hashNewPassword: (_, account) => Promise.resolve(`hash of ${account.email}` as PasswordHash),
      audit,
      retrying,
    })
    const done = await setAllPasswords({ caller: OPERATOR, password: () => 'a new password' })
    expect(done).to.deep.equal({ matched: 3, save: 3 })
    for (const { email, passwordHash } of await accounts.page(undefined, 10))
      expect(passwordHash).to.equal(`hash of ${email}`)
  })

  it('exports a complete account even if each store call times out several times', async () => {
    const store = createMemoryStore()
    const { email } = aNewAccount('ada')
    await store.accounts.insert(aNewAccount('ada'))
    const exportUser = exportUserOperation.factory({
      authorize: authorizeByDefault,
      assertWithin: () => undefined,
      accounts: slow(store.accounts),
      sessions: slow(store.sessions),
      auditLog: slow({ page: () => Promise.resolve([]) } as never),
      projects: slow(store.projects),
      audit,
      clock: () => START,
      retrying,
    })
    const exported = await exportUser({ caller: OPERATOR, email })
    expect(exported.account.email).to.equal(email)
    for (const pages of [exported.sessions, exported.projects, exported.auditRecords]) {
      const rows: unknown[] = []
      for await (const page of pages) rows.push(...page)
      expect(rows).to.deep.equal([])
    }
  })
})

import { expect } from 'chai'
import { OPERATOR } from '../../../../src/domain/access/caller.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import type { RecordOf } from '../../../../src/ports/copyable-records.js'
import { refused } from '../../../support/refusal-of.js'
import { KEPT, storesOfTests } from '../../../support/stores.js'
import { composeUseCases, PASSWORD } from '../../../support/use-cases.js'

const OTHER = 'a quiet river at dusk'
const [FORMER, CANONICAL] = ['νικος@example.com', 'νικοσ@example.com'] as const

describe(`two accounts of an earlier release with one canonical email in the ${KEPT.name} store`, () => {
  const opened = storesOfTests()

  it('each log in with, and are found by, their former email, and no third account is created', async () => {
    const { store } = await opened(KEPT.open)
    const { useCases, account } = await composeUseCases({ store })
    const ids = [await account('ada@example.com'), await account('bob@example.com')]
    const caller = OPERATOR
    await useCases.setPassword({ caller, email: 'bob@example.com', password: OTHER })
    const records = (await store.copyableRecords?.page('account', undefined, 2)) ?? []
    const shared = records.map((one, index): RecordOf['account'] => ({
      ...one,
      email: [FORMER, CANONICAL][index] as Email,
      sharedEmail: CANONICAL as Email,
    }))
    await store.copyableRecords?.put('account', shared)
    const login = async (email: string, password: string) =>
      (await useCases.login({ email, password, presented: {} })).identity.accountId
    expect([await login(FORMER, PASSWORD), await login(CANONICAL, OTHER)]).to.deep.equal(ids)
    expect(await refused(login(FORMER, OTHER))).to.deep.equal(['login-failed', 'email', 'LoginFailed'])
    const basic = { email: FORMER, password: PASSWORD }
    expect(await useCases.authenticatePetClient({ basic })).to.include({ accountId: ids[0], email: FORMER })
    expect((await useCases.getUser({ caller, email: FORMER })).id).to.equal(ids[0])
    expect(await refused(useCases.createUser({ caller, email: FORMER, password: OTHER }))).to.deep.equal([
      ...['conflict', 'email', 'Duplicate'],
    ])
    const search = { caller, email: 'νικ', limit: 2 }
    const behind = await useCases.listUsers({ ...search, after: FORMER })
    expect(behind.map(({ id }) => id)).to.deep.equal([ids[1]])
  })
})

import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { composeUseCases, presentedBy, START, type Composed } from '../../support/use-cases.js'

const email = 'ada@example.com'

describe('assign role', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases()
    await kennel.account(email)
    await kennel.useCases.createRole({ caller: OPERATOR, key: 'editor', label: 'Editor' })
    await kennel.audited()
  })

  const change = (role: string, remove?: boolean, of = email) =>
    kennel.useCases.assignRole({ caller: OPERATOR, email: of, role, ...(remove !== undefined && { remove }) })
  const held = async () => (await kennel.caller(email)).roles.map(({ key }) => key)

  it('gives the role and takes it away, from the next request of a login on', async () => {
    const presented = presentedBy(await kennel.login(email))
    const roles = async () => (await kennel.useCases.getIdentity(presented)).roles.map(({ key }) => key)
    await change('editor')
    expect(await roles()).to.deep.equal(['editor'])
    await change('editor', true)
    expect(await roles()).to.deep.equal([])
    const [, ...entries] = await kennel.audited()
    expect(entries).to.deep.equal([
      'role.assign cli:tester account:1 role:editor success',
      'role.remove cli:tester account:1 role:editor success',
    ])
  })

  it('changes and audits nothing if the account already has the role', async () => {
    await change('editor')
    await change('editor', false)
    expect(await held()).to.deep.equal(['editor'])
    expect(await kennel.audited()).to.have.lengthOf(1)
  })

  it('is audited without its account if another process deletes it meanwhile', async () => {
    const { roles, accounts, audit } = kennel.store
    const assign: typeof roles.assign = async (address, role) => {
      const outcome = await roles.assign(address, role)
      await accounts.remove(1 as AccountId)
      return outcome
    }
    const store = { ...kennel.store, roles: { ...roles, assign } }
    const { useCases } = await composeUseCases({ store, startAt: START + 1 })
    await useCases.assignRole({ caller: OPERATOR, email, role: 'editor' })
    const [record] = await audit.page({ limit: 1, order: 'newest-first' })
    expect(record).to.include({ event: 'role.assign', subject: 'role:editor' })
  })
})

import { expect } from 'chai'
import { createAccounts } from '../../../src/adapters/mongodb/accounts.js'
import { createApiKeys } from '../../../src/adapters/mongodb/api-keys.js'
import type { Database } from '../../../src/adapters/mongodb/database.js'
import { createRoles } from '../../../src/adapters/mongodb/roles.js'
import { aNewAccount, aNewApiKey, aRole, emailOf, NOW } from '../../../src/contracts/samples.js'
import type { Roles } from '../../../src/ports/roles.js'
import { beforeCall, connectionOfTests } from '../../support/mongodb/opened.js'
import { describeWith } from '../../support/required-tools.js'

const EDITOR = aRole('editor')

type Writing = 'accounts.updateOne' | 'accounts.insertOne' | 'apiKeys.insertOne'

const GIVERS: Readonly<Record<Writing, (database: Database) => Promise<string>>> = {
  'accounts.updateOne': (database) => createRoles(database).assign(emailOf('ann'), EDITOR.key),
  'accounts.insertOne': async (database) =>
    (await createAccounts(database).insert({ ...aNewAccount('bob'), roles: [EDITOR.key] })).kind,
  'apiKeys.insertOne': async (database) =>
    (await createApiKeys(database).insert(aNewApiKey('build', [EDITOR]))).kind,
}

describeWith('mongodb', 'the removal of a role in MongoDB', () => {
  const connected = connectionOfTests()
  let database: Database
  let roles: Roles

  beforeEach(async () => {
    database = connected().database
    roles = createRoles(database)
    await roles.insert(EDITOR)
    await createAccounts(database).insert(aNewAccount('ann'))
  })

  const before = (place: Writing | 'roles.deleteOne' | 'roles.updateOne', work: () => Promise<unknown>) =>
    beforeCall(place, database, work)

  const holders = async () => {
    const held = { 'roles.key': EDITOR.key }
    return (await database.accounts.countDocuments(held)) + (await database.apiKeys.countDocuments(held))
  }

  it('marks the role again before a second search, so that a removal with the old mark cannot delete the role', async () => {
    const holder = { ...aNewAccount('bob'), roles: [EDITOR.key] }
    let deleted = -1
    before('roles.deleteOne', async () => {
      const former = await database.roles.findOne({ _id: EDITOR.key })
      expect(former).to.have.property('removing')
      await createAccounts(database).insert(holder)
      before('roles.updateOne', async () => {
        deleted = (await database.roles.deleteOne({ _id: EDITOR.key, removing: former!.removing! }))
          .deletedCount
      })
    })
    expect(await roles.remove(EDITOR.key, NOW)).to.equal('held')
    expect([deleted, await holders()]).to.deep.equal([0, 1])
  })

  for (const [place, give] of Object.entries(GIVERS) as [Writing, (typeof GIVERS)[Writing]][]) {
    it(`detects that ${place} assigned the role after the accounts and keys with the role were counted`, async () => {
      let answer = ''
      before('roles.deleteOne', async () => {
        answer = await give(database)
      })
      expect(await roles.remove(EDITOR.key, NOW)).to.equal('held')
      expect(answer).to.be.oneOf(['assigned', 'inserted'])
      expect(await holders()).to.equal(1)
      expect(await database.roles.findOne({ _id: EDITOR.key })).to.not.have.property('removing')
    })

    it(`leaves no account or key with the role if it runs just before the write of ${place}`, async () => {
      before(place, async () => expect(await roles.remove(EDITOR.key, NOW)).to.equal('removed'))
      expect(await give(database)).to.equal('unknown-role')
      expect(await holders()).to.equal(0)
    })

    it(`leaves no copy of the old role if the role is recreated just before the write of ${place}`, async () => {
      before(place, async () => {
        await roles.remove(EDITOR.key, NOW)
        await roles.insert({ ...EDITOR, uuid: aRole('other').uuid })
      })
      expect(await give(database)).to.equal('unknown-role')
      expect(await holders()).to.equal(0)
    })

    it(`is completed by the next removal if its process was killed and ${place} still assigns the role`, async () => {
      const killed = async () => {
        await database.roles.updateOne({ _id: EDITOR.key }, { $set: { removing: 'killed' } })
      }
      await killed()
      expect(await roles.remove(EDITOR.key, NOW)).to.equal('removed')
      await roles.insert(EDITOR)
      await killed()
      expect(await roles.insert(EDITOR)).to.equal('duplicate-key')
      expect(await give(database)).to.be.oneOf(['assigned', 'inserted'])
      expect([await roles.remove(EDITOR.key, NOW), await holders()]).to.deep.equal(['held', 1])
    })
  }
})

import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { expectRefusedToOutsiders } from '../../support/callers.js'
import { refusalOf, refused } from '../../support/refusal-of.js'
import { composeUseCases, type Composed } from '../../support/use-cases.js'

describe('create role', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases()
  })

  const create = (key: string, label = 'Label', caller = OPERATOR) =>
    kennel.useCases.createRole({ caller, key, label })

  it('adds a row to the role table, with an id of its own', async () => {
    const role = await create('editor', '  Éditeur ')
    expect(role).to.deep.equal({ uuid: role.uuid, key: 'editor', label: 'Éditeur' })
    expect(role.uuid).to.match(/^[0-9a-f-]{36}$/)
    expect(await kennel.store.roles.list()).to.deep.equal([role])
  })

  it('names every broken rule at once', async () => {
    const { code, messages } = await refusalOf(create('a b', ''))
    expect(code).to.equal('invalid')
    expect(messages.map(({ field }) => field)).to.deep.equal(['key', 'label'])
  })

  it('says that the key exists, and leaves the row as it is', async () => {
    const role = await create('editor')
    expect(await refused(create('editor', 'Another'))).to.deep.equal(['conflict', 'key', 'Duplicate'])
    expect(await kennel.store.roles.list()).to.deep.equal([role])
  })

  it('is refused without the permission, before anything else is said', async () => {
    await expectRefusedToOutsiders((caller) => kennel.useCases.createRole({ caller, key: '', label: '' }))
    expect(await kennel.store.roles.list()).to.deep.equal([])
  })
})

import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { refusalOf } from '../../support/refusal-of.js'
import { composeUseCases, type Composed } from '../../support/use-cases.js'

describe('create role', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases()
  })

  const create = (key: string, label = 'Label', caller = OPERATOR) =>
    kennel.useCases.createRole({ caller, key, label })

  it('adds a row with a fresh ID to the role table', async () => {
    const role = await create('editor', '  Éditeur ')
    expect(role).to.deep.equal({ uuid: role.uuid, key: 'editor', label: 'Éditeur' })
    expect(role.uuid).to.match(/^[0-9a-f-]{36}$/)
    expect(await kennel.store.roles.list()).to.deep.equal([role])
  })

  it('names all broken rules together', async () => {
    const { code, messages } = await refusalOf(create('a b', ''))
    expect(code).to.equal('invalid')
    expect(messages.map(({ field }) => field)).to.deep.equal(['key', 'label'])
  })
})

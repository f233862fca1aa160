import { expect } from 'chai'
import type { RoleKey } from '../../../src/domain/access/role.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { type Composed, composeUseCases } from '../../support/use-cases.js'

describe('list roles', () => {
  let service: Composed

  beforeEach(async () => {
    service = await composeUseCases()
  })

  const list = () => service.useCases.listRoles({ caller: OPERATOR })

  it('shows the roles in the order of their keys, as they were created', async () => {
    const create = service.useCases.createRole
    const editor = await create({ caller: OPERATOR, key: 'editor', label: 'Editor' })
    const author = await create({ caller: OPERATOR, key: 'author', label: 'Author of books' })
    expect(await list()).to.deep.equal([author, editor])
  })

  it('continues after a key, which need not exist, up to the limit', async () => {
    for (const key of ['b', 'a', 'd'])
      await service.useCases.createRole({ caller: OPERATOR, key, label: `Role ${key}` })
    const keysOf = async (after?: string, limit?: number) => {
      const page = { after: after as RoleKey | undefined, limit }
      return (await service.useCases.listRoles({ caller: OPERATOR, ...page })).map(({ key }) => key)
    }
    expect(await keysOf('a')).to.deep.equal(['b', 'd'])
    expect(await keysOf('c')).to.deep.equal(['d'])
    expect(await keysOf('d')).to.deep.equal([])
    expect(await keysOf(undefined, 2)).to.deep.equal(['a', 'b'])
    expect(await keysOf('a', 1)).to.deep.equal(['b'])
  })
})

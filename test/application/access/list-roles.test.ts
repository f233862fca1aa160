import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { startService, type TestService } from '../../support/http/service.js'
import { OUTSIDERS } from '../../support/callers.js'
import { refusalOf } from '../../support/refusal-of.js'

describe('list roles', () => {
  let service: TestService

  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.close())

  const list = () => service.useCases.listRoles({ caller: OPERATOR })

  it('is empty until a role was made', async () => {
    expect(await list()).to.deep.equal([])
  })

  it('shows the table by key, as it was made', async () => {
    const create = service.useCases.createRole
    const editor = await create({ caller: OPERATOR, key: 'editor', label: 'Editor' })
    const author = await create({ caller: OPERATOR, key: 'author', label: 'Author of books' })
    expect(await list()).to.deep.equal([author, editor])
  })

  it('is refused without the permission', async () => {
    for (const [caller, code] of OUTSIDERS) {
      expect((await refusalOf(service.useCases.listRoles({ caller }))).code).to.equal(code)
    }
  })
})

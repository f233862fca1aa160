import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { type Composed, composeUseCases, START } from '../../support/use-cases.js'
import { OUTSIDERS } from '../../support/callers.js'
import { refusalOf, refused } from '../../support/refusal-of.js'

describe('revoke an API key', () => {
  let service: Composed
  let key: string

  beforeEach(async () => {
    service = await composeUseCases()
    key = await service.apiKey()
  })

  const revoke = (id: string) => service.useCases.revokeApiKey({ caller: OPERATOR, id })
  const opens = async (apiKey: string) =>
    await service.useCases.authenticatePetClient({ apiKey }).then(
      () => true,
      () => false,
    )

  it('lets no request with it succeed any more, and those with another one still do', async () => {
    const other = await service.apiKey()
    const before = await opens(key)
    await revoke('1')
    expect([before, await opens(key), await opens(other)]).to.deep.equal([true, false, true])
  })

  it('keeps the date of the first time', async () => {
    await revoke('1')
    service.clock.now += 1000
    await revoke('1')
    const [row] = await service.useCases.listApiKeys({ caller: OPERATOR })
    expect(row?.revokedAt).to.equal(START)
  })

  it('says that there is no key of this id', async () => {
    expect(await refused(revoke('2'))).to.deep.equal(['not-found', 'id', 'NotFound'])
  })

  for (const id of ['', '0', '-1', '1.0', '1e0', ' 1', '0x1', '9007199254740992', 'key']) {
    it(`refuses ${JSON.stringify(id)} as an id`, async () => {
      expect(await refused(revoke(id))).to.deep.equal(['invalid', 'id', 'Format'])
    })
  }

  it('is refused without the permission', async () => {
    for (const [caller, code] of OUTSIDERS) {
      expect((await refusalOf(service.useCases.revokeApiKey({ caller, id: '1' }))).code).to.equal(code)
    }
    expect(await opens(key)).to.equal(true)
  })
})

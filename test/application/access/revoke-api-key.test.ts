import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { type Composed, composeUseCases } from '../../support/use-cases.js'
import { refused } from '../../support/refusal-of.js'

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

  it('rejects later requests with this key, and still accepts other keys', async () => {
    const other = await service.apiKey()
    const before = await opens(key)
    await revoke('1')
    expect([before, await opens(key), await opens(other)]).to.deep.equal([true, false, true])
  })

  it('refuses a text that is no ID', async () => {
    expect(await refused(revoke('key'))).to.deep.equal(['invalid', 'id', 'Format'])
  })
})

import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import { createPetClient, expectError, type PetClient } from '../../support/http/pet-calls.js'

describe('the form of an idempotency key', () => {
  let service: TestService
  let pets: PetClient
  before(async () => {
    service = await startService()
    pets = await createPetClient(service)
  })
  after(() => service.close())

  const RULE = 'Idempotency-Key: must have 1 to 255 visible characters'

  it('may not be repeated, even with the same value', async () => {
    for (const keys of [
      ['a', 'b'],
      ['a', 'a'],
      ['', ''],
    ]) {
      expectError(await pets.create({ name: 'Rex' }, { 'Idempotency-Key': keys }), 400, RULE)
    }
  })

  it('is ignored on other routes', async () => {
    const id = await pets.add()
    expect((await pets.patch(id, { age: 1 }, { 'Idempotency-Key': '' })).status).to.equal(200)
  })
})

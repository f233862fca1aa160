import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import { createPetClient, expectError, PETS, type PetClient } from '../../support/http/pet-calls.js'

const EMPTY = 'body: must hold at least one of age, hunts or of bark, breed'
const MIXED = 'body: must not mix age or hunts of a cat with bark or breed of a dog'
const AGE = 'age: must be an integer from 0 to 200'

describe('updating a pet', () => {
  let service: TestService
  let pets: PetClient
  before(async () => {
    service = await startService()
    pets = await createPetClient(service)
  })
  after(() => service.close())

  /** Sends a body to a pet of age 3 and expects that the pet stays unchanged. */
  const expectRefused = async (body: unknown, message?: string) => {
    const id = await pets.add()
    await pets.patch(id, { age: 3 })
    const call =
      typeof body === 'string' ? { body, headers: { 'Content-Type': 'application/json' } } : { json: body }
    const reply = await pets.call('PATCH', `${PETS}/${id}`, call)
    expectError(reply, 400, message)
    expect(reply.headers.etag).to.equal(undefined)
    const after = await pets.read(id)
    expect(after.json).to.deep.equal({ id, name: 'Rex', age: 3 })
    expect(after.headers.etag).to.equal(`"${id}-2"`)
  }

  it('accepts a whole number in any notation', async () => {
    const id = await pets.add()
    for (const [written, age] of [
      ['1.0', 1],
      ['2e1', 20],
      ['-0', 0],
    ] as const) {
      const headers = { 'Content-Type': 'application/json' }
      const reply = await pets.call('PATCH', `${PETS}/${id}`, { body: `{"age":${written}}`, headers })
      expect(reply.json).to.deep.equal({ id, name: 'Rex', age })
    }
  })

  for (const type of [
    'application/json',
    'application/merge-patch+json',
    'Application/Merge-Patch+JSON; charset=UTF-8',
  ]) {
    it(`accepts ${type}`, async () => {
      const id = await pets.add()
      const reply = await pets.patch(id, { age: 1 }, { 'Content-Type': type })
      expect(reply.json).to.deep.equal({ id, name: 'Rex', age: 1 })
    })
  }

  it('rejects merge-patch for a new pet', async () => {
    expectError(await pets.create({ name: 'Rex' }, { 'Content-Type': 'application/merge-patch+json' }), 415)
  })

  it('rejects json-patch', async () => {
    const id = await pets.add()
    expectError(await pets.patch(id, { age: 1 }, { 'Content-Type': 'application/json-patch+json' }), 415)
  })

  it('increments the ETag even if nothing changes', async () => {
    const id = await pets.add()
    expect((await pets.patch(id, { age: 3 })).headers.etag).to.equal(`"${id}-2"`)
    expect((await pets.patch(id, { age: 3 })).headers.etag).to.equal(`"${id}-3"`)
  })

  for (const member of [
    'name',
    'id',
    'tag',
    'revision',
    'traits',
    'kind',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
  ]) {
    it(`rejects the member ${member} and names it`, async () => {
      const rule = `unknown field "${member}"`
      await expectRefused(`{"${member}":1}`, rule)
      await expectRefused(`{"age":4,"${member}":{"polluted":1}}`, rule)
      await expectRefused(`{"bark":true,"${member}":null}`, rule)
      expect(Object.prototype).to.not.have.property('polluted')
    })
  }

  it('suggests the member that was probably meant', async () => {
    await expectRefused({ Age: 1 }, 'unknown field "Age" (did you mean "age"?)')
  })

  it('names the requirement of each member', async () => {
    await expectRefused({ age: '3' }, 'age: must be a number')
    await expectRefused({ hunts: 'yes' }, 'hunts: must be true or false')
    await expectRefused({ breed: 5 }, 'breed: must be a string')
  })

  it('rejects null for any member', async () => {
    const rules = { age: 'a number', hunts: 'true or false', bark: 'true or false', breed: 'a string' }
    for (const [member, rule] of Object.entries(rules))
      await expectRefused({ [member]: null }, `${member}: must be ${rule}`)
  })

  describe('by a merge patch', () => {
    const TYPE = { 'Content-Type': 'application/merge-patch+json' }

    it('follows the same rules otherwise', async () => {
      const id = await pets.add()
      expectError(await pets.patch(id, {}, TYPE), 400, EMPTY)
      expectError(await pets.patch(id, { age: null, bark: null }, TYPE), 400, MIXED)
      expectError(await pets.patch(id, { age: 201, hunts: null }, TYPE), 400, AGE)
      expectError(await pets.patch(id, { age: '3' }, TYPE), 400, 'age: must be a number')
      expectError(await pets.patch(id, { name: null }, TYPE), 400, 'unknown field "name"')
    })
  })

  it('rejects values other than true and false', async () => {
    for (const wrong of [0, 1, 'true', '', [], {}]) {
      await expectRefused({ hunts: wrong })
      await expectRefused({ bark: wrong })
    }
  })

  it('checks the body before it looks for the pet', async () => {
    expectError(await pets.patch(999_999, {}), 400, EMPTY)
    expectError(await pets.patch('abc', { age: 1 }), 404)
  })
})

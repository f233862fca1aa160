import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import { createPetClient, type PetClient } from '../../support/http/pet-calls.js'

describe('a conditional update of a pet', () => {
  let service: TestService
  let pets: PetClient
  before(async () => {
    service = await startService()
    pets = await createPetClient(service)
  })
  after(() => service.close())

  /** A pet at its second revision. */
  const changedPet = async () => {
    const id = await pets.add()
    await pets.patch(id, { age: 1 })
    return id
  }
  const patch = (id: number, tags: string | readonly string[]) =>
    pets.patch(id, { age: 2 }, { 'If-Match': tags })

  const holds: Record<string, (id: number) => string | string[]> = {
    'the tag': (id) => `"${id}-2"`,
    'any tag': () => '*',
    'any tag, with spaces': () => ' * ',
    'a list with the tag': (id) => `"x" , "${id}-1","${id}-2"`,
    'two headers, one with the tag': (id) => ['"x"', `"${id}-2"`],
  }
  for (const [what, tags] of Object.entries(holds)) {
    it(`works with ${what}`, async () => {
      const id = await changedPet()
      const reply = await patch(id, tags(id))
      expect(reply.json).to.deep.equal({ id, name: 'Rex', age: 2 })
      expect(reply.headers.etag).to.equal(`"${id}-3"`)
    })
  }
})

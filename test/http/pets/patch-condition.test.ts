import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import { createPetClient, expectError, type PetClient } from '../../support/http/pet-calls.js'

const STALE = 'The pet has changed since it was read.'

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

  const fails: Record<string, (id: number) => string | string[]> = {
    'the previous tag': (id) => `"${id}-1"`,
    'a later tag': (id) => `"${id}-3"`,
    'the tag of another pet': (id) => `"${id + 1}-2"`,
    'the weak tag': (id) => `W/"${id}-2"`,
    'the tag without quotes': (id) => `${id}-2`,
    'half a tag': (id) => `"${id}-2`,
    'a tag with a leading zero': (id) => `"${id}-02"`,
    'a tag with a space': (id) => `"${id}-2 "`,
    'a tag beyond 2^53': (id) => `"${id}-${'9'.repeat(30)}"`,
    'a quoted star': () => '"*"',
    'a star in a list': () => '*, "x"',
    'a list of other tags': (id) => `"x", "${id}-1", W/"${id}-2"`,
    garbage: () => 'garbage',
    'a comma': () => ',',
    nothing: () => '',
    '8 kB of tags': (id) => Array.from({ length: 800 }, () => `"${id}-1"`).join(','),
  }
  for (const [what, tags] of Object.entries(fails)) {
    it(`is 412 with ${what}`, async () => {
      const id = await changedPet()
      expectError(await patch(id, tags(id)), 412, STALE)
      const { json, headers } = await pets.read(id)
      expect(json).to.deep.equal({ id, name: 'Rex', age: 1 })
      expect(headers.etag).to.equal(`"${id}-2"`)
    })
  }
})

import { expect } from 'chai'
import { STORES, type OpenedStore } from '../../support/stores.js'
import { startService, type TestService } from '../../support/http/service.js'
import { createPetClient, expectError, type PetClient } from '../../support/http/pet-calls.js'

const STALE = 'The pet has changed since it was read.'

for (const { name, open } of STORES) {
  describe(`updating a pet on a condition, in ${name}`, () => {
    let opened: OpenedStore
    let service: TestService
    let pets: PetClient
    before(async () => {
      opened = await open()
      service = await startService({ store: opened.store })
      pets = await createPetClient(service)
    })
    after(async () => {
      await service.close()
      await opened.remove()
    })

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
      'a tag of later': (id) => `"${id}-3"`,
      'the tag of another pet': (id) => `"${id + 1}-2"`,
      'the weak tag': (id) => `W/"${id}-2"`,
      'the tag without quotes': (id) => `${id}-2`,
      'half a tag': (id) => `"${id}-2`,
      'a tag with a zero in front': (id) => `"${id}-02"`,
      'a tag with a space': (id) => `"${id}-2 "`,
      'a tag beyond 2^53': (id) => `"${id}-${'9'.repeat(30)}"`,
      'a quoted star': () => '"*"',
      'a star in a list': () => '*, "x"',
      'a list of others': (id) => `"x", "${id}-1", W/"${id}-2"`,
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

    it('lets exactly one of 16 with one tag through', async () => {
      for (let round = 0; round < 10; round += 1) {
        const id = await pets.add()
        const replies = await Promise.all(
          Array.from({ length: 16 }, (_, age) => pets.patch(id, { age }, { 'If-Match': `"${id}-1"` })),
        )
        const won = replies.filter(({ status }) => status === 200)
        expect(replies.filter(({ status }) => status === 412)).to.have.length(15)
        expect(won).to.have.length(1)
        expect((await pets.read(id)).json).to.deep.equal(won[0]?.json)
      }
    })

    it('loses none of 16 at once without a condition', async () => {
      const id = await pets.add()
      const replies = await Promise.all(Array.from({ length: 16 }, (_, age) => pets.patch(id, { age })))
      expect(new Set(replies.map(({ headers }) => headers.etag)).size).to.equal(16)
      expect((await pets.read(id)).headers.etag).to.equal(`"${id}-17"`)
    })
  })
}

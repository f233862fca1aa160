import { expect } from 'chai'
import type { Database } from '../../../src/adapters/mongodb/database.js'
import { createPets } from '../../../src/adapters/mongodb/pets.js'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { anIdempotency, aPet, DAY, NOW } from '../../../src/contracts/samples.js'
import type { PetId } from '../../../src/domain/catalogue/pet.js'
import type { Pets } from '../../../src/ports/pets.js'
import { beforeCall, connectionOfTests } from '../../support/mongodb/opened.js'
import { describeWith } from '../../support/required-tools.js'

const END = NOW + DAY

describeWith('mongodb', 'a removed pet in MongoDB', () => {
  const connected = connectionOfTests()
  let database: Database
  let pets: Pets
  let id: PetId

  beforeEach(async () => {
    database = connected().database
    pets = createPets(database)
    const made = await pets.insert(aPet('Rex'), anIdempotency())
    if (made.kind !== 'inserted') throw new Error(`the pet is ${made.kind}`)
    id = made.id
  })

  const left = async () => (await database.pets.find().toArray()).map(({ _id }) => _id)

  const removingBefore = (method: 'updateMany' | 'updateOne') =>
    beforeCall(`pets.${method}`, database, async () => expect(await pets.remove(id)).to.equal('removed'))

  it('is deleted by the next purge if its removal coincided with a purge of its idempotency key', async () => {
    removingBefore('updateMany')
    expect(await pets.purgeIdempotencyKeys(END, 10)).to.equal(0)
    expect(await left()).to.deep.equal([id])
    expect(await pets.purgeIdempotencyKeys(END, 10)).to.equal(1)
    expect(await left()).to.deep.equal([])
  })

  it('is fully deleted if it is removed while its idempotency key is being reused', async () => {
    removingBefore('updateOne')
    const next = await pets.insert(aPet('Mia'), anIdempotency({ at: END, until: END + DAY }))
    expect(next).to.deep.equal({ kind: 'inserted', id: (await left())[0] })
    expect(await left())
      .to.have.length(1)
      .and.not.include(id)
  })

  it('does not slow down the reading of pages in a database that was created by an earlier release', async () => {
    await database.pets.dropIndexes()
    await (await openMongo(connected().url)).close()
    const keys = (await database.pets.indexes()).map(({ key }) => key)
    expect(keys).to.deep.include({ removed: 1, _id: 1 })
  })
})

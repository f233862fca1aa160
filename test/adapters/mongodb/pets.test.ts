import { expect } from 'chai'
import { stub } from 'sinon'
import { connectDatabase, type Database } from '../../../src/adapters/mongodb/database.js'
import { createPets } from '../../../src/adapters/mongodb/pets.js'
import { prepareSchema } from '../../../src/adapters/mongodb/schema.js'
import { anIdempotency, aPet, DAY, NOW } from '../../../src/contracts/samples.js'
import type { PetId } from '../../../src/domain/catalogue/pet.js'
import type { Pets } from '../../../src/ports/pets.js'
import { freshDatabase, type FreshDatabase } from '../../support/mongodb/server.js'
import { describeWith } from '../../support/required-tools.js'

const END = NOW + DAY

describeWith('mongodb', 'a pet that is removed while its idempotency key is freed', () => {
  let fresh: FreshDatabase
  let database: Database
  let pets: Pets
  let id: PetId

  beforeEach(async () => {
    fresh = freshDatabase()
    database = await connectDatabase(fresh.url)
    await prepareSchema(database)
    pets = createPets(database)
    const { kind, ...made } = await pets.insert(aPet('Rex'), anIdempotency())
    if (!('id' in made)) throw new Error(`it is ${kind}`)
    id = made.id
  })
  afterEach(async () => {
    await database.close()
    await fresh.drop()
  })

  const left = async () => (await database.pets.find().toArray()).map(({ _id }) => _id)

  it('leaves nothing behind once the purge has come again', async () => {
    const free = database.pets.updateMany.bind(database.pets)
    const freeing = stub(database.pets, 'updateMany').callsFake(async (...args) => {
      expect(await pets.remove(id)).to.equal('removed')
      return await free(...args)
    })
    expect(await pets.purgeIdempotencyKeys(END, 10)).to.equal(0)
    freeing.restore()
    expect(await left()).to.deep.equal([id])
    expect(await pets.purgeIdempotencyKeys(END, 10)).to.equal(1)
    expect(await left()).to.deep.equal([])
  })

  it('leaves nothing behind where the key is used again', async () => {
    const free = database.pets.updateOne.bind(database.pets)
    const freeing = stub(database.pets, 'updateOne').callsFake(async (...args) => {
      expect(await pets.remove(id)).to.equal('removed')
      return await free(...args)
    })
    const next = await pets.insert(aPet('Mia'), anIdempotency({ at: END, until: END + DAY }))
    freeing.restore()
    expect(next.kind).to.equal('inserted')
    expect(await left()).to.deep.equal('id' in next ? [next.id] : [])
  })
})

import { expect } from 'chai'
import { stub } from 'sinon'
import { connectDatabase, type Database } from '../../../src/adapters/mongodb/database.js'
import { createPets } from '../../../src/adapters/mongodb/pets.js'
import { prepareSchema } from '../../../src/adapters/mongodb/schema.js'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { anIdempotency, aPet, DAY, NOW } from '../../../src/contracts/samples.js'
import type { PetId } from '../../../src/domain/catalogue/pet.js'
import type { Pets } from '../../../src/ports/pets.js'
import { freshDatabase, type FreshDatabase } from '../../support/mongodb/server.js'
import { describeWith } from '../../support/required-tools.js'

const END = NOW + DAY

describeWith('mongodb', 'a pet in MongoDB that is removed', () => {
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

  it('while the purge frees its idempotency key, leaves nothing behind once that has come again', async () => {
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

  it('while its key is used again, leaves nothing behind', async () => {
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

  it('has an id that none is given again, not even by the next process when nothing of it is left', async () => {
    await pets.remove(id)
    await pets.purgeIdempotencyKeys(END, 10)
    expect(await left()).to.deep.equal([])
    const next = await openMongo(fresh.url)
    const made = await next.pets.insert(aPet('Mia'))
    await next.close()
    expect(made).to.deep.equal({ kind: 'inserted', id: id + 1 })
  })

  it('is in the way of no page of a database that an earlier release has made', async () => {
    await database.pets.dropIndexes()
    await (await openMongo(fresh.url)).close()
    const keys = (await database.pets.indexes()).map(({ key }) => key)
    expect(keys).to.deep.include({ removed: 1, _id: 1 })
  })
})

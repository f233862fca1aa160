import { expect } from 'chai'
import {
  MongoCompatibilityError,
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoServerError,
} from 'mongodb'
import { markErrors, asRefusal, loadDriver } from '../../../src/adapters/mongodb/errors.js'
import { within } from '../../../src/adapters/database-server.js'
import { isTransient, type Refusal, unavailable } from '../../../src/domain/refusal.js'
import { refusalOf } from '../../support/refusal-of.js'

function thrownByDriver(error: Error): Error {
  const driver = markErrors({
    findOne: () => {
      throw error
    },
  })
  try {
    return driver.findOne()
  } catch {
    return error
  }
}

describe('an error from the MongoDB driver', () => {
  before(loadDriver)

  const serverError = (message: string, code: number) => new MongoServerError({ message, code })
  for (const [mayPass, errors] of [
    [true, [new MongoOperationTimeoutError('too slow'), new MongoNetworkError('the connection broke')]],
    [true, [serverError('not the primary', 10_107), serverError('the driver does not retry again', 189)]],
    [false, [serverError('wrong password', 18), serverError('not permitted', 13)]],
    [false, [new MongoCompatibilityError('too old')]],
  ] as const)
    for (const error of errors)
      it(`is ${mayPass ? 'transient' : 'permanent'}: ${error.name}, ${error.message}`, () => {
        const refusal = asRefusal(thrownByDriver(error))
        expect(refusal).to.include({ code: 'unavailable', cause: error })
        expect(isTransient(refusal)).to.equal(mayPass)
      })

  it('says what is wrong with the server', () => {
    const details = [
      new MongoCompatibilityError('wire version 7'),
      serverError('', 13),
      serverError('', 10_107),
    ].map((error) => (asRefusal(thrownByDriver(error)) as Refusal).detail)
    expect(details).to.deep.equal([
      'The MongoDB server is too old: wire version 7',
      'The MongoDB user lacks a permission: give the user the readWrite role on the database in DATABASE_URL.',
      'The MongoDB server does not accept writes: it is not the primary.',
    ])
  })

  it('is transient if a call times out, and permanent after the store is closed', async () => {
    expect(isTransient(await refusalOf(within(1, new Promise(() => undefined), 'MongoDB')))).to.equal(true)
    expect(isTransient(unavailable('The store is closed.'))).to.equal(false)
  })
})

import { expect } from 'chai'
import {
  MongoCompatibilityError,
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoServerError,
} from 'mongodb'
import { marked } from '../../../src/adapters/mongodb/driver-errors.js'
import { loadDriver } from '../../../src/adapters/mongodb/driver.js'
import { asRefusal } from '../../../src/adapters/mongodb/errors.js'
import { within } from '../../../src/adapters/mongodb/waiting.js'
import { isTransient, unavailable } from '../../../src/domain/refusal.js'
import { refusalOf } from '../../support/refusal-of.js'

/** Passes the error through a call of the driver. */
function thrownByDriver(error: Error): Error {
  const driver = marked({
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

  for (const error of [
    new MongoOperationTimeoutError('too slow'),
    new MongoNetworkError('the connection broke'),
    new MongoServerError({ message: 'not the primary', code: 10_107 }),
    new MongoServerError({ message: 'the driver retries no more', code: 189 }),
    new MongoServerError({ message: 'no majority', code: 64 }),
  ])
    it(`is transient if a retry may help: ${error.name}, ${error.message}`, () => {
      const refusal = asRefusal(thrownByDriver(error))
      expect(refusal).to.include({ code: 'unavailable', cause: error })
      expect(isTransient(refusal)).to.equal(true)
    })

  for (const error of [
    new MongoServerError({ message: 'wrong password', code: 18 }),
    new MongoServerError({ message: 'not permitted', code: 13 }),
    new MongoCompatibilityError('too old'),
  ])
    it(`is permanent if only an operator can fix the cause: ${error.name}, ${error.message}`, () => {
      const refusal = asRefusal(thrownByDriver(error))
      expect(refusal).to.include({ code: 'unavailable', cause: error })
      expect(isTransient(refusal)).to.equal(false)
    })

  it("is rethrown unchanged if Kennel's own code threw it", () => {
    const error = new TypeError('a defect')
    expect(asRefusal(error)).to.equal(error)
  })

  it('is transient if a call exceeds its time limit, and permanent after the store is closed', async () => {
    expect(isTransient(await refusalOf(within(1, new Promise(() => undefined))))).to.equal(true)
    expect(isTransient(unavailable('The store is closed.'))).to.equal(false)
  })
})

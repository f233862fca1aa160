import { expect } from 'chai'
import { DatabaseError } from 'pg'
import { loadDriver } from '../../../src/adapters/postgresql/driver.js'
import { asRefusal, keepsConnection } from '../../../src/adapters/postgresql/errors.js'
import { isTransient } from '../../../src/domain/refusal.js'

describe('an error of a PostgreSQL server', () => {
  before(loadDriver)

  for (const [code, what, transient, keeps] of [
    ['23505', 'a duplicate', false, true],
    ['28P01', 'a wrong password', false, true],
    ['40001', 'a concurrent operation', true, true],
    ['57014', 'a cancelled statement', true, true],
    ['57P01', 'a shutdown', true, false],
    ['08006', 'a broken connection', true, false],
    ['25006', 'a write on a standby', true, false],
  ] as const)
    it(`is ${transient ? 'transient' : 'lasting'} and ${keeps ? 'keeps' : 'ends'} its connection: ${what}`, () => {
      const error = Object.assign(new DatabaseError(what, 1, 'error'), { code })
      expect(isTransient(asRefusal(error))).to.equal(transient)
      expect(keepsConnection(error)).to.equal(keeps)
    })
})

describe('a connection that cannot be opened', () => {
  for (const [code, detail] of [
    ['ECONNREFUSED', 'No PostgreSQL server can be reached: ECONNREFUSED.'],
    [
      'EMFILE',
      'No connection to PostgreSQL can be opened: this process has too many files open (raise the limit with "ulimit -n 1024", or LimitNOFILE= in the systemd unit).',
    ],
  ] as const)
    it(`is a transient refusal that names the cause: ${code}`, () => {
      const refusal = asRefusal(Object.assign(new Error('connect'), { code }))
      expect(isTransient(refusal)).to.equal(true)
      expect(refusal).to.include({ detail })
    })
})

import { expect } from 'chai'
import { DatabaseError } from 'pg'
import {
  loadDriver,
  asConnectRefusal,
  asRefusal,
  keepsConnection,
} from '../../../src/adapters/postgresql/errors.js'
import { isRefusal, isTransient, type Refusal } from '../../../src/domain/refusal.js'

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
    ['42P01', 'a missing table', false, true],
  ] as const)
    it(`is ${transient ? 'transient' : 'permanent'} and ${keeps ? 'keeps' : 'ends'} its connection: ${what}`, () => {
      const error = Object.assign(new DatabaseError(what, 1, 'error'), { code })
      expect(isTransient(asRefusal(error))).to.equal(transient)
      expect(isRefusal(asRefusal(error))).to.equal(code !== '23505')
      expect(keepsConnection(error)).to.equal(keeps)
    })
})

describe('an internal error of a PostgreSQL server', () => {
  before(loadDriver)

  for (const [code, advice] of [
    ['XX000', /see its log/],
    ['XX001', /restore a backup/],
    ['XX002', /restore a backup/],
  ] as const)
    it(`is reported as damaged data only if the server says so: ${code}`, () => {
      const { detail } = asRefusal(Object.assign(new DatabaseError(code, 1, 'error'), { code })) as Refusal
      expect(detail).to.match(advice)
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

describe('an error that prevents a connection to PostgreSQL', () => {
  before(loadDriver)

  for (const error of [
    new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: server nonce is too short'),
    Object.assign(new Error('no start line'), { code: 'ERR_OSSL_PEM_NO_START_LINE' }),
    Object.assign(new Error('wrong version number'), { code: 'EPROTO' }),
    Object.assign(new Error('connect EACCES /run/postgresql'), { code: 'EACCES' }),
    Object.assign(new DatabaseError('unrecognized configuration parameter', 1, 'error'), { code: '42704' }),
    new RangeError('offset is out of range'),
  ])
    it(`is an \`unavailable\` refusal that does not repeat the message "${error.message}"`, () => {
      const refusal = asConnectRefusal(error) as Refusal
      expect(refusal.code).to.equal('unavailable')
      expect(refusal.detail).to.match(/^No connection to PostgreSQL can be established: /)
      expect(refusal.detail).not.to.contain(error.message)
    })
})

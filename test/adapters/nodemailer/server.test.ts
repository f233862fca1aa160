import { expect } from 'chai'
import { smtpUrlError } from '../../../src/adapters/nodemailer/server.js'

const ENCODE = /^must name a server, .* percent-encoded in the user name and the password$/
const END = 'must end after the port: a path, a query or a fragment has no effect'

const parameter = (name: string) => `must not have the parameter ${name}: parameters have no effect`

/** URL endings after the host, with the error for each ending. */
const ENDS: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(['', '/', '?', '#'].map((tail) => [tail, undefined])),
  '?name=pets.example': parameter('name'),
  '/?name=': parameter('name'),
  '?pool=true&name=x': parameter('pool'),
  '?requireTLS=true#x': parameter('requireTLS'),
  ...Object.fromEntries(
    ['/inbox', '#pool', '?pool', '?=x', '?s3cret1=x', '/?%6eame=x'].map((tail) => [tail, END]),
  ),
}

describe('the URL of an SMTP server', () => {
  it('may end after the port, and must not have a parameter, a path or a fragment', () => {
    for (const [tail, error] of Object.entries(ENDS))
      expect(smtpUrlError(`smtp://kennel:p%40ss@mail.example:587${tail}`), tail).to.equal(error)
  })

  it('must not contain an unencoded special character in the password, and the error reveals no part of the password', () => {
    for (const sign of ['?', '#', '/'])
      expect(smtpUrlError(`smtp://kennel:12${sign}canary=x@mail.example`), sign).to.match(ENCODE)
  })
})

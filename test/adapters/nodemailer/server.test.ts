import { expect } from 'chai'
import { smtpUrlError, greetingOf } from '../../../src/adapters/nodemailer/server.js'

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

const SENDER = { name: 'Kennel', address: 'no-reply@kennel.example' }

describe('the greeting sent to an SMTP server', () => {
  for (const [publicUrl, greeting] of [
    ['https://pets.example', 'pets.example'],
    ['https://pets.example:8443', 'pets.example'],
    ['https://PETS.example.', 'pets.example'],
    ['https://bücher.example', 'xn--bcher-kva.example'],
    ['http://localhost:3000', 'localhost'],
    ['http://127.0.0.1:3000', '[127.0.0.1]'],
    ['http://[::1]:3000', '[IPv6:::1]'],
    ['https://[2001:db8::7]', '[IPv6:2001:db8::7]'],
  ] as const)
    it(`is ${greeting} for ${publicUrl}`, () => {
      expect(greetingOf(publicUrl, SENDER)).to.equal(greeting)
    })

  it('is the domain of the sender if there is no public URL', () => {
    expect(greetingOf(undefined, SENDER)).to.equal('kennel.example')
    const address = 'no-reply@bücher.example'
    expect(greetingOf(undefined, { name: '', address })).to.equal('xn--bcher-kva.example')
  })
})

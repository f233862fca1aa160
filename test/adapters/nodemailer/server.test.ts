import { expect } from 'chai'
import { smtpUrlError } from '../../../src/adapters/nodemailer/server.js'

const ENCODE = /^must name a server, .* percent-encoded in the user name and the password$/
const END = 'must end after the port: a path, a query or a fragment has no effect'

describe('the URL of an SMTP server', () => {
  for (const tail of ['', '/', '?', '#']) {
    it(`may end with ${JSON.stringify(tail)} after the port`, () => {
      expect(smtpUrlError(`smtp://kennel:p%40ss@mail.example:587${tail}`)).to.be.undefined
    })
  }

  for (const [name, tail] of [
    ['name', '?name=pets.example'],
    ['name', '/?name='],
    ['pool', '?pool=true&name=x'],
    ['requireTLS', '?requireTLS=true#x'],
  ]) {
    it(`must not contain a parameter as in ${tail}`, () => {
      expect(smtpUrlError(`smtps://mail.example${tail}`)).to.equal(
        `must not have the parameter ${name}: no parameter has an effect`,
      )
    })
  }

  for (const tail of ['/inbox', '#pool', '?pool', '?=x', '?s3cret1=x', '/?%6eame=x']) {
    it(`must not end with ${tail}`, () => {
      expect(smtpUrlError(`smtp://mail.example:587${tail}`)).to.equal(END)
    })
  }

  for (const sign of ['?', '#', '/']) {
    it(`must not contain an unencoded ${sign} in the password, and the error reveals no part of the password`, () => {
      expect(smtpUrlError(`smtp://kennel:12${sign}canary=x@mail.example`)).to.match(ENCODE)
    })
  }
})

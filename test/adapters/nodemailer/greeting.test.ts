import { expect } from 'chai'
import { greetingOf } from '../../../src/adapters/nodemailer/greeting.js'

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

import { expect } from 'chai'
import { clientName } from '../../../src/domain/identity/client-name.js'

describe('the stored name of a client', () => {
  it('is the name itself if the name is plain', () => {
    for (const name of ['Firefox 130 on Linux', 'curl 8', 'node', 'My-App/1.2.3 (build 7_b+c)'])
      expect(clientName(name)).to.equal(name)
  })

  it('contains no character that a page, a terminal or a log acts on', () => {
    expect(clientName('<img src=x onerror="alert(1)">')).to.equal('img src x onerror alert(1)')
    expect(clientName('a\u001b[31mb\r\nc\u0000d')).to.equal('a 31mb c d')
    expect(clientName('=cmd|calc')).to.equal('cmd calc')
    expect(clientName('\u202eabc\u200b é犬')).to.equal('abc')
  })

  it('contains no text that a mail reader turns into a link', () => {
    expect(clientName('https://evil.example/login?now')).to.equal('https //evil example/login now')
    expect(clientName('www.evil.example. kennel@evil.example')).to.equal(
      'www evil example kennel evil example',
    )
    expect(clientName('evil1.example 2.example .3')).to.equal('evil1 example 2 example 3')
  })

  it('has at most 64 characters, and no blanks at its ends', () => {
    expect(clientName('x'.repeat(65))).to.equal('x'.repeat(64))
    expect(clientName(`  ${'x'.repeat(64)}`)).to.equal('x'.repeat(64))
    expect(clientName(`  ${'x'.repeat(63)} ${'y'.repeat(9)}  `)).to.equal('x'.repeat(63))
  })

  it('is undefined if no character is left', () => {
    for (const text of ['', ' ', '犬', '\u0000', '<>&"']) expect(clientName(text)).to.equal(undefined)
  })
})

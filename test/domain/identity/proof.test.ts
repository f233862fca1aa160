import { expect } from 'chai'
import { isProofPurpose, presentedProofCode } from '../../../src/domain/identity/proof.js'

describe('the code in an email proof', () => {
  it('may be typed in lower case, with spaces and with hyphens', () => {
    for (const text of ['7K3M9QXT', '7k3m9qxt', ' 7K3M 9QXT ', '7K3M-9qxt'])
      expect(presentedProofCode(text)).to.equal('7K3M9QXT')
  })
})

describe('the purpose of an email proof', () => {
  it('is one of a fixed set of words', () => {
    expect(['login', 'sign-up', 'reset-password'].every(isProofPurpose)).to.equal(true)
    expect(['', 'Login', 'password-changed', 'toString'].some(isProofPurpose)).to.equal(false)
  })
})

import { expect } from 'chai'
import { VARIABLES } from '../../src/configuration/settings.js'
import { errorsOf, judged } from './reading.js'

const CANARY = 'Canary'

describe('the value of an environment variable', () => {
  it('never appears in an error message', () => {
    for (const name of VARIABLES)
      for (const value of [CANARY, `${CANARY}\u0000`, `https://u:${CANARY}@x/${CANARY}`, `["${CANARY}"`])
        expect(errorsOf({ [name]: value }).join('\n'), `${name}=${value}`).not.to.include(CANARY)
  })

  it('never appears in an error message about a database or a passphrase', () => {
    const errors = errorsOf({
      DATABASE_URL: `mongodb://kennel:${CANARY}@@db.example/app`,
      SECURITY_JWT_PASSPHRASE: CANARY,
      SECURITY_JWT_PASSPHRASE_PREVIOUS: `["${CANARY}", "${CANARY}2"]`,
      MAIL_URL: `smtp://kennel:${CANARY}@mail.example`,
    })
    expect(errors).to.have.lengthOf(4)
    expect(errors.join('\n')).not.to.include(CANARY)
  })

  it('never appears in a warning', () => {
    const outcome = judged({ SECURITY_JWT_PASSPHRASE: `${CANARY}-weak-but-1` })
    const { warnings } = outcome as { readonly warnings: readonly string[] }
    expect(warnings).to.have.lengthOf(1)
    expect(warnings.join('\n')).not.to.include(CANARY)
  })
})

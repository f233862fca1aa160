import { expect } from 'chai'
import { readConfiguration } from '../../src/composition-root/configuration.js'
import { variables } from '../../src/composition-root/configuration/variables.js'
import { faultsOf, warningsOf } from './reading.js'

const CANARY = 'Canary'

describe('no value of any variable', () => {
  it('is in a fault, whatever is wrong with it', () => {
    for (const name of Object.keys(variables.shape)) {
      for (const value of [CANARY, `${CANARY}\u0000`, `https://u:${CANARY}@x/${CANARY}`, `["${CANARY}"`]) {
        const faults = faultsOf({ [name]: value })
        expect(faults.join('\n'), `${name}=${value}`).not.to.include(CANARY)
      }
    }
  })

  it('is in a fault about a database or a passphrase', () => {
    const faults = faultsOf({
      DATABASE_URL: `mongodb://kennel:${CANARY}@@db.example/app`,
      SECURITY_JWT_PASSPHRASE: CANARY,
      SECURITY_JWT_PASSPHRASE_PREVIOUS: `["${CANARY}", "${CANARY}2"]`,
      MAIL_URL: `smtp://kennel:${CANARY}@mail.example`,
    })
    expect(faults).to.have.lengthOf(4)
    expect(faults.join('\n')).not.to.include(CANARY)
  })

  it('is in a warning', () => {
    const warnings = warningsOf({ SECURITY_JWT_PASSPHRASE: `${CANARY}-weak-but-1` })
    expect(warnings).to.have.lengthOf(1)
    expect(warnings.join('\n')).not.to.include(CANARY)
  })

  it('is in a fault where a name is misspelt', () => {
    const outcome = readConfiguration(
      { SECURITY_JWT_PASPHRASE: CANARY },
      { passphraseFault: () => undefined },
    )
    expect(outcome).to.deep.equal({
      ok: false,
      faults: ['SECURITY_JWT_PASPHRASE is unknown; did you mean SECURITY_JWT_PASSPHRASE?'],
    })
  })
})

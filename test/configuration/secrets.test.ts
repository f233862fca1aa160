import { expect } from 'chai'
import { VARIABLES } from '../../src/configuration/settings.js'
import { errorsOf, GOOD_PASSPHRASE, judged, warningsOf } from './reading.js'

const CANARY = 'Canary'

describe('no value of any variable', () => {
  it('is in a fault, whatever is wrong with it', () => {
    for (const name of VARIABLES) {
      for (const value of [CANARY, `${CANARY}\u0000`, `https://u:${CANARY}@x/${CANARY}`, `["${CANARY}"`]) {
        const errors = errorsOf({ [name]: value })
        expect(errors.join('\n'), `${name}=${value}`).not.to.include(CANARY)
      }
    }
  })

  it('is in a fault about a database or a passphrase', () => {
    const errors = errorsOf({
      DATABASE_URL: `mongodb://kennel:${CANARY}@@db.example/app`,
      SECURITY_JWT_PASSPHRASE: CANARY,
      SECURITY_JWT_PASSPHRASE_PREVIOUS: `["${CANARY}", "${CANARY}2"]`,
      MAIL_URL: `smtp://kennel:${CANARY}@mail.example`,
    })
    expect(errors).to.have.lengthOf(4)
    expect(errors.join('\n')).not.to.include(CANARY)
  })

  it('is in a warning', () => {
    const warnings = warningsOf({ SECURITY_JWT_PASSPHRASE: `${CANARY}-weak-but-1` })
    expect(warnings).to.have.lengthOf(1)
    expect(warnings.join('\n')).not.to.include(CANARY)
  })

  it('is in a fault where a name is misspelt', () => {
    const outcome = judged({ SECURITY_JWT_PASPHRASE: CANARY })
    expect(outcome).to.deep.equal({
      ok: false,
      errors: ['SECURITY_JWT_PASPHRASE is unknown; did you mean SECURITY_JWT_PASSPHRASE?'],
    })
  })
})

describe('what `app key generate` prints in a pipe', () => {
  const DOCUMENT = JSON.stringify({ passphrase: `Good+enough-for-production=${CANARY}-1` })
  const RULE =
    'must be a passphrase, not a JSON object; `kennel-id key generate --plain` prints the passphrase alone'

  it('is no passphrase', () => {
    for (const text of [DOCUMENT, `\uFEFF ${DOCUMENT}\r\n`, '{}', '{"a":\n1}'])
      expect(errorsOf({ SECURITY_JWT_PASSPHRASE: text })).to.deep.equal([`SECURITY_JWT_PASSPHRASE ${RULE}`])
  })

  it('is no previous passphrase, alone or in the array', () => {
    for (const text of [DOCUMENT, JSON.stringify([GOOD_PASSPHRASE, DOCUMENT])])
      expect(errorsOf({ SECURITY_JWT_PASSPHRASE_PREVIOUS: text })).to.deep.equal([
        `SECURITY_JWT_PASSPHRASE_PREVIOUS ${RULE}`,
      ])
  })

  it('is no URL either', () => {
    for (const name of ['DATABASE_URL', 'MAIL_URL']) {
      const errors = errorsOf({ [name]: DOCUMENT })
      expect(errors).to.have.lengthOf(1)
      expect(errors.join())
        .to.match(new RegExp(`^${name} must be `))
        .and.not.include(CANARY)
    }
  })

  it('is not seen in a passphrase that only begins like it', () => {
    for (const text of ['{Seven-hounds}+4-kennels=a-good-passphrase', '{"Seven-hounds+4-kennels=a-good-one'])
      expect(errorsOf({ SECURITY_JWT_PASSPHRASE: text })).to.deep.equal([])
  })
})

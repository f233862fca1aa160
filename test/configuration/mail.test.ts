import { expect } from 'chai'
import { writeFileSync } from 'node:fs'
import { DEFAULT_PERMISSIONS, type PermissionRules } from '../../src/domain/access/permissions.js'
import { configurationOf, errorsOf, PRODUCTION, warningsOf, type Texts } from './reading.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const FROM = { MAIL_FROM: 'Kennel <kennel@pets.example>' }

describe('the configuration of mail, impersonation and audit', () => {
  const folder = temporaryFolder()

  function permitting(...actions: readonly string[]): Texts {
    const everyone = { components: { ...DEFAULT_PERMISSIONS.roles.everyone.components, auth: actions } }
    const rules: PermissionRules = { roles: { ...DEFAULT_PERMISSIONS.roles, everyone } }
    const path = folder('permissions.json')
    writeFileSync(path, JSON.stringify(rules))
    return { PERMISSIONS_FILE: path }
  }

  it('wants a sender where there is a mail server', () => {
    const server = { MAIL_URL: 'smtp://mail.example' }
    expect(errorsOf(server)).to.deep.equal([
      'MAIL_FROM is required with a mail server: the sender, such as Kennel <no-reply@kennel.example>',
    ])
    expect(errorsOf({ ...server, ...FROM })).to.deep.equal([])
    expect(errorsOf({ MAIL_URL: 'file:./out' })).to.deep.equal([])
  })

  it('takes AUDIT=log only where the log has its lines', () => {
    for (const LOG_LEVEL of ['warn', 'error', 'silent']) {
      expect(errorsOf({ AUDIT: 'store,log', LOG_LEVEL })).to.deep.equal([
        'AUDIT can be log only with LOG_LEVEL=info or debug: the records would be dropped',
      ])
    }
    expect(errorsOf({ AUDIT: 'log', LOG_LEVEL: 'debug' })).to.deep.equal([])
  })

  it('refuses to start where a reset is permitted and no mail can leave', () => {
    const error =
      'MAIL_URL is required where auth: reset-password is permitted: smtp://user:password@host:587, or file:FOLDER'
    const permitted = permitting('login', 'reset-password')
    expect(errorsOf({ ...PRODUCTION, ...permitted })).to.deep.equal([error])
    expect(
      errorsOf({
        ...permitted,
        PUBLIC_URL: 'http://192.0.2.1',
        SECURITY_JWT_PASSPHRASE: PRODUCTION['SECURITY_JWT_PASSPHRASE'],
      }),
    ).to.deep.equal([error])
    expect(errorsOf({ ...PRODUCTION, ...permitting('login') })).to.deep.equal([])
    expect(
      errorsOf({ ...PRODUCTION, ...permitting('*'), MAIL_URL: 'smtps://mail.example', ...FROM }),
    ).to.deep.equal([])
  })

  it('has an outbox in local development alone', () => {
    expect(configurationOf(permitting('reset-password')).mail.delivery).to.deep.equal({
      kind: 'file',
      folder: './data/outbox',
    })
    expect(configurationOf(PRODUCTION).mail).to.not.have.property('delivery')
  })

  it('says aloud where impersonation is permitted and will be refused', () => {
    expect(warningsOf({ IDENTITY_STATELESS: '1' })).to.deep.equal([
      'IDENTITY_STATELESS: login-as and logout-as are refused, because the previous tokens could not be voided; STATELESS_REVOCATION=store would allow them',
    ])
    expect(warningsOf({ AUDIT: 'off' })).to.deep.equal([
      'AUDIT is off: login-as and logout-as are refused, because nothing would be audited',
    ])
    const none = folder('none.json')
    writeFileSync(none, '{"roles": {"everyone": {"components": {"auth": ["login"]}}}}')
    expect(warningsOf({ AUDIT: 'off', IDENTITY_STATELESS: '1', PERMISSIONS_FILE: none })).to.deep.equal([])
  })
})

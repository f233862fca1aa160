import { expect } from 'chai'
import { writeFileSync } from 'node:fs'
import { DEFAULT_PERMISSIONS, type PermissionRules } from '../../src/domain/access/permissions.js'
import { configurationOf, faultsOf, PRODUCTION, warningsOf, type Texts } from './reading.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const FROM = { MAIL_FROM: 'Kennel <kennel@pets.example>' }
const URL_FORM = 'MAIL_URL must be smtp://…, smtps://… or file:FOLDER'
const SERVER_FORM =
  'MAIL_URL must name a server, as in smtp://user:password@mail.example:587, with @ : / ? # percent-encoded in the user name and the password'
const PATH_FORM =
  'MAIL_URL must have the plain path after the colon: file:./data/outbox or file:/var/spool/kennel'
const SENDER_FORM = 'MAIL_FROM must be an address, or a name and an address: Kennel <no-reply@kennel.example>'
const PAGE_FORM = 'RESET_URL must be the http or https URL of a page, without user and without #'
const TTL = (name: string, most: string) =>
  `${name} must be a duration from 1m to ${most} in whole seconds, such as 30s, 15m, 7d`

const REFUSED: readonly (readonly [name: string, values: readonly string[], fault: string])[] = [
  ['MAIL_URL', ['mail.example', 'http://mail.example', 'file:'], URL_FORM],
  ['MAIL_URL', ['smtp:mail.example', 'smtp://', 'smtp://user:a b@mail.example:x'], SERVER_FORM],
  ['MAIL_URL', ['file:///var/spool', 'file:a\nb'], PATH_FORM],
  [
    'MAIL_FROM',
    ['kennel', 'a@b@c', 'Kennel <a@b.example>, x@y.example', 'a@b.example\r\nBcc: c@d'],
    SENDER_FORM,
  ],
  [
    'RESET_URL',
    ['/reset', 'ftp://pets.example/', 'https://pets.example/#a', 'https://u:p@pets.example/', 'https://a b/'],
    PAGE_FORM,
  ],
  ['RESET_TOKEN_TTL', ['59s', '25h', '0', '90500ms'], TTL('RESET_TOKEN_TTL', '1d')],
  ['IMPERSONATION_TTL', ['59s', '2d', 'off'], TTL('IMPERSONATION_TTL', '1d')],
  ['AUDIT', ['on', 'store,store', 'store;log', 'off,log'], 'AUDIT must be off, store, log or store,log'],
  [
    'AUDIT_RETENTION',
    ['23h', '3651d', '0', 'never'],
    'AUDIT_RETENTION must be forever, or a duration from 1d to 3650d',
  ],
]

describe('the configuration of mail, impersonation and audit', () => {
  const folder = temporaryFolder()

  function granting(...actions: readonly string[]): Texts {
    const everyone = { components: { ...DEFAULT_PERMISSIONS.roles['everyone']?.components, auth: actions } }
    const rules: PermissionRules = { roles: { ...DEFAULT_PERMISSIONS.roles, everyone } }
    const path = folder('permissions.json')
    writeFileSync(path, JSON.stringify(rules))
    return { PERMISSIONS_FILE: path }
  }

  for (const [name, values, error] of REFUSED) {
    it(`refuses ${name} where it ${error.slice(name.length + 1, 60)}…, without saying what it was`, () => {
      for (const value of values) expect(faultsOf({ [name]: value }), value).to.deep.equal([error])
    })
  }

  it('wants a sender where there is a mail server', () => {
    const server = { MAIL_URL: 'smtp://mail.example' }
    expect(faultsOf(server)).to.deep.equal([
      'MAIL_FROM is required with a mail server: the sender, such as Kennel <no-reply@kennel.example>',
    ])
    expect(faultsOf({ ...server, ...FROM })).to.deep.equal([])
    expect(faultsOf({ MAIL_URL: 'file:./out' })).to.deep.equal([])
  })

  it('takes AUDIT=log only where the log has its lines', () => {
    for (const LOG_LEVEL of ['warn', 'error', 'silent']) {
      expect(faultsOf({ AUDIT: 'store,log', LOG_LEVEL })).to.deep.equal([
        'AUDIT can be log only with LOG_LEVEL=info or debug: the records would be dropped',
      ])
    }
    expect(faultsOf({ AUDIT: 'log', LOG_LEVEL: 'debug' })).to.deep.equal([])
  })

  it('refuses to start where a reset is granted and no mail can leave', () => {
    const error =
      'MAIL_URL is required where auth: reset-password is granted: smtp://user:password@host:587, or file:FOLDER'
    const granted = granting('login', 'reset-password')
    expect(faultsOf({ ...PRODUCTION, ...granted })).to.deep.equal([error])
    expect(
      faultsOf({
        ...granted,
        PUBLIC_URL: 'http://192.0.2.1',
        SECURITY_JWT_PASSPHRASE: PRODUCTION['SECURITY_JWT_PASSPHRASE'],
      }),
    ).to.deep.equal([error])
    expect(faultsOf({ ...PRODUCTION, ...granting('login') })).to.deep.equal([])
    expect(
      faultsOf({ ...PRODUCTION, ...granting('*'), MAIL_URL: 'smtps://mail.example', ...FROM }),
    ).to.deep.equal([])
  })

  it('has an outbox in local development alone', () => {
    expect(configurationOf(granting('reset-password')).mail.delivery).to.deep.equal({
      kind: 'file',
      folder: './data/outbox',
    })
    expect(configurationOf(PRODUCTION).mail).to.not.have.property('delivery')
  })

  it('says aloud where impersonation is granted and will be refused', () => {
    expect(warningsOf({ IDENTITY_STATELESS: '1' })).to.deep.equal([
      'IDENTITY_STATELESS: login-as and logout-as are refused, because the tokens of before could not be voided; STATELESS_REVOCATION=store would allow them',
    ])
    expect(warningsOf({ AUDIT: 'off' })).to.deep.equal([
      'AUDIT is off: login-as and logout-as are refused, because nothing would be on record',
    ])
    const none = folder('none.json')
    writeFileSync(none, '{"roles": {"everyone": {"components": {"auth": ["login"]}}}}')
    expect(warningsOf({ AUDIT: 'off', IDENTITY_STATELESS: '1', PERMISSIONS_FILE: none })).to.deep.equal([])
  })
})

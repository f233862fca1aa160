import { expect } from 'chai'
import {
  CHOSEN_TOPICS,
  FACTOR_CHANGES,
  MAIL_KINDS,
  NOTICE_KINDS,
  PASSKEY_CHANGES,
} from '../../src/domain/mail.js'

describe('email constants', () => {
  it('do not change, because templates, settings and stored jobs use them', () => {
    const kinds = [
      ...[
        'reset-password',
        'password-changed',
        'new-client',
        'refresh-reused',
        'factor-changed',
        'passkey-changed',
      ],
      ...['sign-up', 'account-exists', 'approved', 'invitation', 'change-email', 'undo-email', 'login'],
    ]
    expect(MAIL_KINDS).to.deep.equal(kinds)
    expect(CHOSEN_TOPICS).to.deep.equal(['new-client', 'refresh-reuse', 'password', 'factor', 'passkey'])
    expect(FACTOR_CHANGES).to.deep.equal(['added', 'removed', 'recovery', 'renewed'])
    expect(PASSKEY_CHANGES).to.deep.equal(['added', 'removed', 'clone'])
  })

  it('map each topic to its email', () => {
    expect(NOTICE_KINDS).to.deep.equal({
      'new-client': 'new-client',
      'refresh-reuse': 'refresh-reused',
      password: 'password-changed',
      'own-password': 'password-changed',
      factor: 'factor-changed',
      passkey: 'passkey-changed',
    })
  })
})

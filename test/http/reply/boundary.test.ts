import { expect } from 'chai'
import { notPermitted } from '../../../src/domain/refusal.js'
import type { HttpRequest } from '../../../src/http/message.js'
import { createBoundary } from '../../../src/http/reply/failure.js'
import { SILENT_LOG } from '../../../src/ports/log.js'
import { httpSettings } from '../../support/http/settings.js'

describe('the response to a caller without a permission', () => {
  const replyIn = (production: boolean) => {
    const boundary = createBoundary(SILENT_LOG, httpSettings({ production }))
    return boundary.failed(notPermitted('pets: delete'), {
      method: 'DELETE',
      path: '/v1/pets/1',
    } as HttpRequest)
  }
  const sentence = 'You do not have permission to do this.'

  it('does not mention permissions in production', () => {
    expect(replyIn(true)).to.deep.include({ status: 403, body: { code: 403, message: sentence } })
  })

  it('names the missing permission outside production, and says where to add it', () => {
    const repair =
      'A role of the caller needs "pets: delete" in the permissions (PERMISSIONS_FILE, or the option permissions of openKennel).'
    expect(replyIn(false).body).to.deep.equal({ code: 403, message: `${sentence} ${repair}` })
  })
})

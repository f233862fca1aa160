import { expect } from 'chai'
import { crossOrigin } from '../../src/http/cross-origin.js'
import { httpSettings } from '../support/http/settings.js'

describe('the preflight of a page', () => {
  it('allows each configured credential header once', () => {
    const credentials = { authorizationHeader: 'Authorization', petsApiKeyHeader: 'X-Kennel-Key' }
    const settings = httpSettings({ corsOrigins: ['https://app.example'], ...credentials })
    const asked: Record<string, string> = {
      origin: 'https://app.example',
      'access-control-request-method': 'GET',
    }
    const headers = crossOrigin(settings, ['GET']).headers({
      method: 'OPTIONS',
      header: (name) => asked[name],
    })
    expect(headers['Access-Control-Allow-Headers']).to.equal(
      'Content-Type,Authorization,X-Kennel-Key,ApiKeyAuth,BasicAuth,If-Match,If-None-Match,Idempotency-Key',
    )
  })
})

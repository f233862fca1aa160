import { expect } from 'chai'
import { HostClient } from '../../src/application/client-context.js'
import type { FieldError } from '../../src/application/fields.js'
import { client } from '../../src/application/inputs.js'

class CountedClient extends HostClient {
  reads = 0
  readonly requestId = 'a-request'
  readonly userAgent = 'a browser'

  get address(): string {
    this.reads += 1
    return '192.0.2.1'
  }
}

describe('the client data of a request', () => {
  it('is passed through without being read if a host provides it', () => {
    const given = new CountedClient()
    const errors: FieldError[] = []
    expect(client(given, 'client', errors)).to.equal(given)
    expect(errors).to.deep.equal([])
    expect(given.reads).to.equal(0)
  })

  it('is copied and checked if an untyped caller provides it', () => {
    const given = { address: '192.0.2.1' }
    const errors: FieldError[] = []
    const read = client(given, 'client', errors)
    expect(read).to.deep.equal(given)
    expect(read).not.to.equal(given)
    expect(errors).to.deep.equal([])
    client({ address: 1, reads: 0 }, 'client', errors)
    expect(errors.map(({ field }) => field)).to.deep.equal(['client.address', 'client'])
  })
})

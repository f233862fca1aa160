import { expect } from 'chai'
import { crossOrigin } from '../../src/http/cross-origin.js'

describe('a CORS preflight', () => {
  const APP = 'https://app.example'
  function preflight(asked: string | undefined, origin = APP): Readonly<Record<string, string>> {
    const sent: Record<string, string | undefined> = {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': asked,
    }
    const request = { method: 'OPTIONS', header: (name: string) => sent[name] }
    return crossOrigin({ corsOrigins: [APP] }, ['GET']).headers(request)
  }
  const allowed = (asked?: string, origin?: string) =>
    preflight(asked, origin)['Access-Control-Allow-Headers']

  for (const asked of ['content-type,x-authorization', 'x-requested-with', "x!#$%&'*+-.^_`|~9"])
    it(`allows the headers ${asked}`, () => {
      expect(allowed(asked)).to.equal(asked)
    })

  it('lists each allowed name once, without white space', () => {
    expect(allowed(' traceparent ,\tbaggage, baggage,,')).to.equal('traceparent,baggage')
  })

  for (const name of ['x y', 'x"y', 'x:y', 'x\r\nSet-Cookie', 'é', '(x)', 'x/y', 'x=1', '\0'])
    it(`omits the name ${JSON.stringify(name)}`, () => {
      expect(allowed(name)).to.equal(undefined)
      expect(allowed(`accept,${name}`)).to.equal('accept')
    })

  it('allows no header if the list is longer than 4,096 characters', () => {
    expect(allowed('x'.repeat(4096))).to.have.length(4096)
    expect(allowed('x'.repeat(4097))).to.equal(undefined)
    expect(allowed('x,'.repeat(8000))).to.equal(undefined)
  })

  it('allows no header if no header is requested or the origin is not listed', () => {
    expect(allowed()).to.equal(undefined)
    expect(allowed('')).to.equal(undefined)
    expect(allowed('content-type', 'https://evil.example')).to.equal(undefined)
  })

  it('names the origin and the requested headers in Vary', () => {
    expect(preflight('traceparent')['Vary']).to.equal('Origin, Access-Control-Request-Headers')
  })
})

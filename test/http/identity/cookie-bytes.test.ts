import { expect } from 'chai'
import { itWithSessions } from '../../support/http/modes.js'
import { startService, type TestService } from '../../support/http/service.js'
import { openWire } from '../../support/http/wire.js'
import { GET_IDENTITY, newcomer } from '../../support/http/browser.js'

/** Bytes that `trim()` removes before a name, but browsers keep. */
const BYTES: Readonly<Record<string, readonly number[]>> = {
  'U+00A0 as one byte': [0xa0],
  'U+00A0 in UTF-8': [0xc2, 0xa0],
  'U+2000 in UTF-8': [0xe2, 0x80, 0x80],
  'a BOM in UTF-8': [0xef, 0xbb, 0xbf],
  'the byte 0xFF': [0xff],
}

describe('a cookie of a sibling host, whose name begins with', () => {
  let service: TestService
  before(async () => {
    service = await startService({
      settings: {
        publicUrl: 'https://pets.example',
        cookie: { name: 'sid', secure: true, sameSite: 'strict' },
      },
    })
  })
  after(() => service.close())

  const statusWith = async (accessToken: string, cookie: Buffer) => {
    const wire = await openWire(service.origin)
    const head = `GET ${GET_IDENTITY} HTTP/1.1\r\nConnection: close\r\nX-Authorization: Bearer ${accessToken}\r\n`
    wire.send(Buffer.concat([Buffer.from(`${head}Cookie: `), cookie, Buffer.from('\r\n\r\n')]))
    return (await wire.closed())[0]?.status
  }

  for (const [what, bytes] of Object.entries(BYTES)) {
    itWithSessions(`${what} is not taken for the session cookie, and does not hide it`, async () => {
      const { cookie = '', accessToken = '' } = (await newcomer(service)).held()
      const evil = Buffer.concat([Buffer.from(bytes), Buffer.from('__Host-sid=evil')])
      const disguised = Buffer.concat([Buffer.from(bytes), Buffer.from(cookie)])
      const both = [Buffer.from(`${cookie}; `), evil]
      expect(await statusWith(accessToken, Buffer.concat(both))).to.equal(200)
      expect(await statusWith(accessToken, Buffer.concat([evil, Buffer.from(`; ${cookie}`)]))).to.equal(200)
      expect(await statusWith(accessToken, disguised)).to.equal(401)
      expect(await statusWith(accessToken, Buffer.concat([Buffer.from('a=b; '), disguised]))).to.equal(401)
    })
  }

  for (const code of [0x0b, 0x0c]) {
    itWithSessions(`the byte ${code.toString(16)} makes the header invalid`, async () => {
      const { cookie = '', accessToken = '' } = (await newcomer(service)).held()
      const evil = Buffer.concat([Buffer.from([code]), Buffer.from(cookie)])
      expect(await statusWith(accessToken, evil)).to.equal(400)
    })
  }
})

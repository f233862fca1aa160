import { expect } from 'chai'
import { decodeUtf8 } from '../../src/configuration/encoding.js'

const TEXT = 'NODE_ENV=production\nSMTP_FROM=Käthe Šimić <kaethe@example.org>\n'
const LATIN = Buffer.from('SMTP_FROM=Käthe <kaethe@example.org>\n', 'latin1')

describe('the encoding of a file', () => {
  it('is UTF-8 with or without a byte-order mark, and the mark is removed', () => {
    for (const text of [TEXT, '', 'A=1', 'A=日本語\r\n', 'A=🐕'])
      for (const mark of ['', '\uFEFF']) expect(decodeUtf8(Buffer.from(mark + text))).to.deep.equal({ text })
  })

  it('is recognized as UTF-16 with or without a byte-order mark', () => {
    for (const mark of ['', '\uFEFF']) {
      const little = Buffer.from(mark + TEXT, 'utf16le')
      expect(decodeUtf8(little)).to.deep.equal({ encoding: 'UTF-16 (little-endian)' })
      expect(decodeUtf8(Buffer.from(little).swap16())).to.deep.equal({ encoding: 'UTF-16 (big-endian)' })
    }
  })

  it('is recognized as UTF-32 by its byte-order mark', () => {
    const units = Uint32Array.from(`\uFEFF${TEXT}`, (one) => one.codePointAt(0) ?? 0)
    const little = Buffer.from(units.buffer)
    expect(decodeUtf8(little)).to.deep.equal({ encoding: 'UTF-32 (little-endian)' })
    expect(decodeUtf8(Buffer.from(little).swap32())).to.deep.equal({ encoding: 'UTF-32 (big-endian)' })
  })

  it('is reported as an 8-bit encoding if the bytes are not UTF-8', () => {
    const cut = Buffer.from('A=ä').subarray(0, 3)
    for (const bytes of [LATIN, Uint8Array.of(0x41, 0x3d, 0x93, 0x94), cut])
      expect(decodeUtf8(bytes)).to.have.property('encoding').that.includes('Latin-1, Windows-1252')
  })
})

import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { withOpenedFile, decodeUtf8 } from '../../src/configuration/opened-file.js'
import { openFilesIn } from '../support/open-files.js'
import { temporaryFolder } from '../support/temporary-folder.js'

describe('an opened file', () => {
  const folder = temporaryFolder()
  const text = (path: string) => withOpenedFile(path, ({ read }) => read().toString())
  const codeOf = (act: () => unknown) => {
    try {
      act()
    } catch (error) {
      return (error as NodeJS.ErrnoException).code
    }
    return undefined
  }
  const put = (name: string, content: string, mode: number) => {
    writeFileSync(folder(name), content, { mode })
    return folder(name)
  }

  const other = () => put('other', 'the other file', 0o644)
  const EXCHANGES: Readonly<Record<string, (path: string) => void>> = {
    'another file gets its name': (path) => renameSync(other(), path),
    'its path becomes a link': (path) => {
      rmSync(path)
      symlinkSync(other(), path)
    },
    'it is deleted': (path) => rmSync(path),
  }
  for (const [title, exchange] of Object.entries(EXCHANGES))
    it(`keeps its metadata and content if ${title}`, () => {
      const path = put('file', 'the first', 0o600)
      const { ino } = statSync(path)
      const found = withOpenedFile(path, ({ stats, read }) => {
        exchange(path)
        return [stats.ino, stats.mode & 0o777, stats.size, read().toString()]
      })
      expect(found).to.deep.equal([ino, 0o600, 9, 'the first'])
    })

  it('is the target if the path is a symbolic link', () => {
    symlinkSync(put('file', 'content', 0o600), folder('link'))
    expect(text(folder('link'))).to.equal('content')
  })

  const IRREGULAR = 'not a regular file'

  it('is refused with an error code if it is missing, a folder, not a regular file, or too large', () => {
    mkdirSync(folder('folder'))
    execFileSync('mkfifo', [folder('pipe')])
    symlinkSync(folder('pipe'), folder('link'))
    truncateSync(put('large', '', 0o600), 16 * 1024 * 1024 + 1)
    const paths = [...['missing', 'folder', 'pipe', 'link', 'large'].map((name) => folder(name)), '/dev/zero']
    const codes = paths.map((path) => codeOf(() => text(path)))
    expect(codes).to.deep.equal(['ENOENT', 'EISDIR', IRREGULAR, IRREGULAR, 'larger than 16 MB', IRREGULAR])
  })

  it('is closed after use, whether the use succeeds or fails', function () {
    if (process.platform !== 'linux') this.skip()
    const path = put('file', 'content', 0o600)
    execFileSync('mkfifo', [folder('pipe')])
    expect(withOpenedFile(path, () => openFilesIn(folder()))).to.deep.equal([path])
    expect(codeOf(() => withOpenedFile(path, () => mkdirSync(path)))).to.equal('EEXIST')
    expect(codeOf(() => text(folder('pipe')))).to.equal(IRREGULAR)
    expect(openFilesIn(folder())).to.deep.equal([])
  })
})

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

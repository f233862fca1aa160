import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { withOpenedFile } from '../../src/configuration/opened-file.js'
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

  it('is refused with an error code if the path is missing, a folder or not a regular file, or the file is too large', () => {
    mkdirSync(folder('folder'))
    execFileSync('mkfifo', [folder('pipe')])
    symlinkSync(folder('pipe'), folder('link'))
    truncateSync(put('large', '', 0o600), 16 * 1024 * 1024 + 1)
    const paths = [...['missing', 'folder', 'pipe', 'link', 'large'].map((name) => folder(name)), '/dev/zero']
    const codes = paths.map((path) => codeOf(() => text(path)))
    const expected = ['ENOENT', 'EISDIR', IRREGULAR, IRREGULAR, 'larger than 16 MB', IRREGULAR]
    expect(codes).to.deep.equal(expected)
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

import { execFileSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { OperatorError } from '../../../../src/domain/refusal.js'
import {
  openSource,
  sourceError,
  createDuplicateFinder,
} from '../../../../src/adapters/oclif/import/import-file.js'
import { temporaryFolder } from '../../../support/temporary-folder.js'
import fc from 'fast-check'

describe('openSource', () => {
  const folder = temporaryFolder()

  const errorsOf = async (path: string) =>
    await openSource(path)
      .then(async ({ pieces }) => {
        await text(pieces)
        return []
      })
      .catch((error: unknown) => {
        const fault = error instanceof OperatorError ? error : sourceError(error)
        return fault instanceof OperatorError ? fault.errors : [String(fault)]
      })

  it('opens a file and returns its size', async () => {
    const path = folder('accounts.ndjson')
    writeFileSync(path, 'one\ntwo\n')
    const { size, pieces } = await openSource(path)
    expect([size, await text(pieces)]).to.deep.equal([8, 'one\ntwo\n'])
  })

  it('opens a pipe and returns no size', async () => {
    const path = folder('pipe')
    execFileSync('mkfifo', [path])
    const opened = openSource(path)
    writeFileSync(path, 'through a pipe')
    const { size, pieces } = await opened
    expect([size, await text(pieces)]).to.deep.equal([undefined, 'through a pipe'])
  })

  it('opens standard input for the path `-`', async () => {
    const { size, pieces } = await openSource('-')
    expect([size, pieces === process.stdin]).to.deep.equal([undefined, true])
  })

  it('reports the reason if a file cannot be opened or read', async () => {
    symlinkSync('loop', folder('loop'))
    writeFileSync(folder('file'), '')
    for (const [name, reason] of [
      ['missing', 'it does not exist'],
      ['file/below', 'it does not exist'],
      ['loop', 'its symbolic links form a loop'],
      ['x'.repeat(5000), 'its name is too long'],
      ['.', 'it is a folder'],
    ] as const)
      expect(await errorsOf(folder(name))).to.deep.equal([`The file cannot be read: ${reason}.`])
  })
})

describe('the duplicate finder', () => {
  it('returns the line number at which the email first occurred', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 2 }), { maxLength: 300 }), (emails) => {
        const findDuplicate = createDuplicateFinder(2)
        const firsts = new Map<string, number>()
        for (const [index, email] of emails.entries()) {
          expect(findDuplicate(email, index + 1)).to.equal(firsts.get(email))
          if (!firsts.has(email)) firsts.set(email, index + 1)
        }
      }),
    )
  })
})

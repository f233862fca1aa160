import { expect } from 'chai'
import { importLines } from '../../../../src/adapters/oclif/import/import-lines.js'
import { createImportReport } from '../../../../src/adapters/oclif/import/report.js'
import type { ImportUser } from '../../../../src/application/accounts/import-users.js'
import { refuse } from '../../../../src/domain/refusal.js'

/** The reply of a store that is too slow or away. */
const AWAY = refuse('unavailable', 'Unavailable', 'The store did not answer in time.')

/** Imports lines of these emails; answers the report, or rejects with what stopped the import. */
async function imported(emails: readonly string[], importUser: ImportUser) {
  const pieces: string[] = []
  const report = createImportReport((text) => Promise.resolve(pieces.push(text)))
  const lines = emails.map((email, index) => ({
    number: index + 1,
    bytes: Buffer.from(email && JSON.stringify({ email })),
  }))
  const error: unknown = await importLines(lines, importUser, report).catch((reason: unknown) => reason)
  await report.end()
  return { error, report: JSON.parse(pieces.join('')) as unknown }
}

describe('the lines of an import', () => {
  it('are all saved by a store that is in time for three of them at once, and reported in their order', async () => {
    const saved: string[] = []
    let room = 0
    const importUser: ImportUser = async ({ email }) => {
      if (email === 'wrong') throw refuse('invalid', 'NotValid', 'email-not-valid')
      // Calls of one round begin together.
      if (room === 0) void Promise.resolve().then(() => (room = 0))
      room += 1
      if (room > 3) throw AWAY
      saved.push(email)
      return await Promise.resolve('saved')
    }
    const emails = ['a', 'b', 'c', 'wrong', 'd', '', 'e', 'f', 'wrong', 'g', 'h']
    const outcome = await imported(emails, importUser)
    const errors = [4, 9].map((line) => ({ line, message: ': email-not-valid' }))
    expect(outcome).to.deep.equal({ error: undefined, report: { errors, save: 8, unchanged: 0 } })
    expect(saved).to.deep.equal(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
  })

  it('stop where the store takes none of those that are left, and the refused ones are reported', async () => {
    const calls: string[] = []
    const importUser: ImportUser = async ({ email }) => {
      calls.push(email)
      if (email === 'wrong') throw refuse('invalid', 'NotValid', 'email-not-valid')
      if (email === 'a') return await Promise.resolve('unchanged')
      throw AWAY
    }
    const { error, report } = await imported(['a', 'b', 'wrong', 'c'], importUser)
    expect(error).to.equal(AWAY)
    expect(calls).to.deep.equal(['a', 'b', 'wrong', 'c', 'b', 'c'])
    const errors = [{ line: 3, message: ': email-not-valid' }]
    expect(report).to.deep.equal({ errors, save: 0, unchanged: 1 })
  })

  it('stop at once where the reason is another one', async () => {
    const reason = new Error('a defect')
    const calls: string[] = []
    const importUser: ImportUser = async ({ email }) => {
      calls.push(email)
      if (email === 'a') return await Promise.resolve('saved')
      throw reason
    }
    const { error, report } = await imported(['a', 'b'], importUser)
    expect(error).to.equal(reason)
    expect(calls).to.deep.equal(['a', 'b'])
    expect(report).to.deep.equal({ errors: [], save: 1, unchanged: 0 })
  })
})

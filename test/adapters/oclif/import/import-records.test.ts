import { expect } from 'chai'
import {
  OperatorError,
  explainedMessages,
  notPermitted,
  refuse,
  transient,
} from '../../../../src/domain/refusal.js'
import {
  createImportRecords,
  type ImportRecord,
  openIdFile,
} from '../../../../src/adapters/oclif/import/import-records.js'
import { createImportReport } from '../../../../src/adapters/oclif/import/report.js'
import type { ImportUser } from '../../../../src/application/accounts/import-users.js'
import { createRetries } from '../../../../src/application/retrying.js'
import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { temporaryFolder } from '../../../support/temporary-folder.js'
import { composeUseCases } from '../../../support/use-cases.js'

/** The error of a store that is too slow. */
const SLOW = transient('The store did not answer in time.')
const WRONG = refuse('invalid', 'NotValid', 'email-not-valid')
const HALF_A_MINUTE = 30_000

/** Imports one line per email, `step` lines at a time. Each pause advances the clock by half a minute. */
async function imported(
  emails: readonly string[],
  importUser: ImportUser,
  { step = 200, stopAfter = Infinity } = {},
) {
  const pieces: string[] = []
  const report = createImportReport((text) => Promise.resolve(pieces.push(text)))
  const reasons: string[] = []
  let pauses = 0
  const retries = createRetries({
    now: () => pauses * HALF_A_MINUTE,
    pause: async () => void (pauses += 1),
    isStopped: () => pauses >= stopAfter,
    onSlow: (reason) => reasons.push(reason),
  })
  const importRecords = createImportRecords({ importUser, report, retries })
  const lines = emails.map((email, index): ImportRecord => ({
    line: index + 1,
    read: email === '' ? { kind: 'empty' } : { kind: 'user', user: { email } },
  }))
  let error: unknown
  try {
    for (let begin = 0; begin < lines.length; begin += step)
      await importRecords(lines.slice(begin, begin + step))
  } catch (reason) {
    error = reason
  }
  await report.end()
  return { error, reasons, pauses, report: JSON.parse(pieces.join('')) as object }
}

/** A store that completes `room` calls in each round, and is too slow for the rest. */
function storeFor(room: number) {
  const saved: string[] = []
  const rounds: number[] = []
  let underWay = 0
  const endRound = () => {
    rounds.push(underWay)
    underWay = 0
  }
  const importUser: ImportUser = async ({ email }) => {
    if (email === 'wrong') throw WRONG
    // All calls of a round begin in the same event loop turn.
    if (underWay === 0) void Promise.resolve().then(endRound)
    underWay += 1
    if (underWay > room) throw SLOW
    saved.push(email)
    return await Promise.resolve('saved')
  }
  return { importUser, saved, rounds }
}

const emailsOf = (count: number) => Array.from({ length: count }, (_, n) => `user${n}`)

describe('the records of an import file', () => {
  it('are all saved and reported in order, even if the store completes few calls at a time', async () => {
    const { importUser, saved } = storeFor(60)
    const emails = emailsOf(450).toSpliced(3, 0, 'wrong', '').toSpliced(300, 0, 'wrong')
    const { error, reasons, report } = await imported(emails, importUser)
    const errors = [4, 301].map((line) => ({ line, message: 'email-not-valid' }))
    expect([error, report]).to.deep.equal([undefined, { errors, save: 450, unchanged: 0 }])
    // Lines must stay in order, because two lines may have the same email.
    expect(saved).to.deep.equal(emailsOf(450))
    expect(reasons).to.deep.equal(['The store did not answer in time.'])
  })

  it('are rejected individually, naming the missing permission, if the caller may not assign their roles', async () => {
    const { importUser, saved } = storeFor(Infinity)
    const forbidden = notPermitted('user-task: role', 'cli')
    const { error, report } = await imported(['a', 'no', 'b', 'no'], async (user) => {
      if (user.email === 'no') throw forbidden
      return await importUser(user)
    })
    const message = explainedMessages(forbidden)[0]?.message
    const errors = [2, 4].map((line) => ({ line, message }))
    expect([error, saved]).to.deep.equal([undefined, ['a', 'b']])
    expect(report).to.deep.equal({ errors, save: 2, unchanged: 0 })
  })

  it('are imported in rounds of 200, halved after a slow round and doubled after a fast one', async () => {
    const { importUser, rounds } = storeFor(50)
    const { pauses } = await imported(emailsOf(400), importUser)
    // The store completes 50 lines per round. After two rounds without slow lines, a round has 200 lines again.
    expect(rounds).to.deep.equal([200, 100, 50, 50, 200, 100, 50, 50])
    expect(pauses).to.equal(4)
  })

  it('are imported up to the first unsaved line if the store does not respond for 5 minutes', async () => {
    let left = 250
    const importUser: ImportUser = async () => {
      left -= 1
      if (left < 0) throw SLOW
      return await Promise.resolve('unchanged')
    }
    const { error, report, pauses } = await imported(emailsOf(350), importUser)
    expect((error as OperatorError).errors.join()).to.include('The import ended before line 251; ')
    expect(report).to.have.property('unchanged', 250)
    // Ten pauses of half a minute reach the limit of 5 minutes.
    expect(pauses).to.equal(10)
  })

  it('are imported even if this takes more than 5 minutes, as long as the store completes some calls', async () => {
    const { importUser, saved } = storeFor(1)
    const { error, pauses } = await imported(emailsOf(200), importUser)
    expect([error, saved.length]).to.deep.equal([undefined, 200])
    expect(pauses).to.be.greaterThan(10)
  })

  it('are reported up to the last completed line if the import is stopped while the store is slow', async () => {
    const { importUser, saved } = storeFor(0)
    const { error, report, pauses } = await imported(['a', 'b'], importUser, { stopAfter: 2 })
    expect(error).to.have.property('cause', SLOW)
    expect([saved, pauses, report]).to.deep.equal([[], 2, { errors: [], save: 0, unchanged: 0 }])
  })

  for (const reason of [new Error('a defect'), refuse('unauthenticated', 'Forbidden', 'no')])
    it(`are reported up to the last completed line after ${String(reason)}, without a retry`, async () => {
      const calls: string[] = []
      const importUser: ImportUser = async ({ email }) => {
        calls.push(email)
        if (email === 'a') return await Promise.resolve('saved')
        throw reason
      }
      const { error, report, pauses } = await imported(['a', 'b'], importUser)
      expect(error).to.equal(reason)
      expect([calls, pauses]).to.deep.equal([['a', 'b'], 0])
      expect(report).to.deep.equal({ errors: [], save: 1, unchanged: 0 })
    })
})

describe('the file of IDs', () => {
  const folder = temporaryFolder()

  it('is readable only by its owner', async () => {
    const { useCases } = await composeUseCases()
    const ids = await openIdFile(folder('ids'), folder('accounts'), useCases.getUser)
    await ids.close()
    expect(statSync(folder('ids')).mode & 0o777).to.equal(0o600)
  })

  it('must be different from the account file, which would be overwritten', async () => {
    const { useCases } = await composeUseCases()
    writeFileSync(folder('accounts'), 'accounts')
    symlinkSync('accounts', folder('link'))
    for (const name of ['accounts', 'link']) {
      const opened = openIdFile(folder(name), folder('accounts'), useCases.getUser)
      const error: unknown = await opened.catch((reason: unknown) => reason)
      expect(readFileSync(folder('accounts'), 'utf8')).to.equal('accounts')
      expect(error).to.be.instanceOf(OperatorError)
    }
  })
})

type Document = { errors: { line: number; message: string }[]; save: number; unchanged: number }

/** A report, and the output written so far. */
function written() {
  const pieces: string[] = []
  const report = createImportReport((text) => Promise.resolve(pieces.push(text)))
  return { report, pieces, document: () => JSON.parse(pieces.join('')) as Document }
}

describe('the import report', () => {
  it('is written piece by piece', async () => {
    const { report, pieces, document } = written()
    const message = 'x'.repeat(1000)
    for (let line = 1; line <= 200; line += 1) {
      report.refuse({ line, message })
      await report.written()
      const told = line * (message.length + 30)
      expect(told - pieces.join('').length).to.be.lessThan(100_000)
    }
    await report.end()
    expect(document().errors.map(({ line }) => line)).to.deep.equal([...Array(201).keys()].slice(1))
  })

  it('is written in order and waits if the reader is slow', async () => {
    const taken: string[] = []
    const waiting: (() => void)[] = []
    const report = createImportReport(async (text) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      taken.push(text)
    })
    for (let line = 1; line <= 3; line += 1) report.refuse({ line, message: 'x'.repeat(70_000) })
    const ended = report.end()
    let isEnded = false
    void ended.then(() => (isEnded = true))
    for (let count = 0; count < 4; count += 1) {
      await new Promise(setImmediate)
      expect([isEnded, waiting.length]).to.deep.equal([false, 1])
      waiting.pop()?.()
    }
    await ended
    const { errors } = JSON.parse(taken.join('')) as Document
    expect(errors.map(({ line }) => line)).to.deep.equal([1, 2, 3])
  })
})

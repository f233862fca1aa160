import type { Command } from '@oclif/core'
import { expect } from 'chai'
import { explain, isPrinted } from '../../../src/adapters/oclif/errors.js'
import { OperatorError, refuse, unavailable } from '../../../src/domain/refusal.js'

describe('the messages of a failed command', () => {
  const explained = (error: unknown) => {
    const lines: string[] = []
    const command = { logToStderr: (line: string) => lines.push(line) } as unknown as Command
    const messages = explain(command, error, false)
    return {
      lines,
      told: messages.map((one) => isPrinted(one)),
      messages: messages.map(({ message }) => message),
    }
  }

  it('are not printed again if they are already on standard error', () => {
    const detail = 'The disk is full.'
    expect(explained(unavailable(detail))).to.deep.equal({
      lines: [detail],
      told: [true],
      messages: [detail],
    })
  })

  it('say that too many files are open, instead of an internal error', () => {
    const message =
      'Too many open files (EMFILE): raise the limit with "ulimit -n 1024", or LimitNOFILE= in the systemd unit.'
    expect(explained(Object.assign(new Error('open'), { code: 'EMFILE' }))).to.deep.equal({
      lines: [message],
      told: [true],
      messages: [message],
    })
  })

  it('do not count as printed if standard error contains different text or no text', () => {
    expect(explained(refuse('not-found', 'NotFound', 'There is none.'))).to.deep.equal({
      lines: [],
      told: [false],
      messages: ['There is none.'],
    })
    const forbidden = refuse('forbidden', 'Forbidden', 'No.', 'the role lacks it')
    expect(explained(forbidden).told).to.deep.equal([false])
    expect(explained(new OperatorError(['Stopped.', 'Run it again.'])).told).to.deep.equal([false, false])
    expect(explained(new TypeError('broken')).told).to.deep.equal([false])
  })
})

import { expect } from 'chai'
import { OperatorError } from '../../src/domain/operator-error.js'

describe('an error for operators', () => {
  it('contains each reason as a sentence on a separate line of the message', () => {
    const cause = new Error('EACCES')
    const error = new OperatorError(['The file cannot be read.', 'Run it again.'], cause)
    expect(error.errors).to.deep.equal(['The file cannot be read.', 'Run it again.'])
    expect(error.message).to.equal('The file cannot be read.\nRun it again.')
    expect([error.name, error.cause]).to.deep.equal(['OperatorError', cause])
  })
})

import { expect } from 'chai'
import { VERSION } from '../../src/domain/version.js'
import { textOf } from '../support/project.js'

describe('the version in the source code', () => {
  it('equals the version in `package.json`', () => {
    const { version } = JSON.parse(textOf('package.json')) as { version: string }
    expect(VERSION).to.equal(version)
  })
})

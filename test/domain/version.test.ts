import { expect } from 'chai'
import { VERSION } from '../../src/domain/version.js'
import { textOf } from '../support/project.js'

describe('the version in the sources', () => {
  it('is the version of the package', () => {
    const { version } = JSON.parse(textOf('package.json')) as { version: string }
    expect(VERSION).to.equal(version)
  })
})

import { expect } from 'chai'
import { filesOf } from '../support/project.js'
import { mirrored } from './mirrors.js'

/**
 * Sources without a test at their path, and the test that covers them. The list may only shrink: every new source needs
 * a test at its path.
 */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'src/adapters/mustache/template.ts': 'test/adapters/mustache/mail-templates.test.ts',
  'src/application/inputs.ts': 'test/embedding/inputs.test.ts',
  'src/configuration/reader.ts': 'test/embedding/setting-options.test.ts',
  'src/configuration/rules.ts': 'test/configuration/from-environment.test.ts',
  'src/configuration/sentence.ts': 'test/configuration/from-environment.test.ts',
  'src/configuration/storage.ts': 'test/configuration/settings.test.ts',
  'src/configuration/web.ts': 'test/configuration/settings.test.ts',
  'src/domain/parsed.ts': 'test/application/fields.test.ts',
  'src/embedding/gate.ts': 'test/embedding/open.test.ts',
  'src/embedding/given-options.ts': 'test/embedding/read-options.test.ts',
  'src/embedding/open-kennel.ts': 'test/embedding/open.test.ts',
  'src/embedding/options.ts': 'test/embedding/wrong-options.test.ts',
}

/** The number of such sources. */
const MOST = 12

describe('the test of a source', () => {
  const all = mirrored()
  const untested = all.flatMap(({ source, tested }) => (tested ? [] : [source]))

  it('is at its path', () => {
    expect(all.length).to.be.greaterThan(100)
    expect(untested.filter((source) => !Object.hasOwn(TESTED_ELSEWHERE, source))).to.deep.equal([])
  })

  it('is listed if it is elsewhere, and only while there is no test at the path', () => {
    const named = Object.keys(TESTED_ELSEWHERE)
    expect(named.filter((source) => !untested.includes(source))).to.deep.equal([])
    const tests = filesOf('test')
    expect(Object.values(TESTED_ELSEWHERE).filter((test) => !tests.includes(test))).to.deep.equal([])
  })

  it('is elsewhere for no more sources than before', () => {
    expect(Object.keys(TESTED_ELSEWHERE)).to.have.lengthOf.at.most(MOST)
  })
})

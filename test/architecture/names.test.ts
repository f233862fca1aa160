import { basename } from 'node:path'
import { expect } from 'chai'
import { filesOf, textOf } from '../support/project.js'
import { TOOLS } from '../support/required-tools.js'

const NO_NAME = /(^|[-/])(utils?|helpers?|managers?|impl)([-/.]|$)/
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?\.ts$/
const SWITCHED_OFF = /\b((describe|context|it|specify)\.(only|skip)|x(describe|context|it|specify))\(/
/** The only file that may skip tests because of a missing tool. The titles of skipped tests end with the reason. */
const REQUIRED_TOOLS = 'test/support/required-tools.ts'
const NAMED_SKIP = /\b(?:describe|it)\.skip\(`\$\{title\} \(\$\{NO_TOOL\}\)`,/g
/** A test may be skipped only because of the operating system or the user. */
const LEFT_OUT = /this\.skip\(\)/g
const OF_THE_MACHINE = /if \([^\n]*process\.(?:platform|getuid)[^\n]*\) this\.skip\(\)/g
const MAKE_FOLDERS = ['test/support/temporary-folder.ts', 'test/support/memory-folder.ts']

const sources = filesOf('src')
const tests = filesOf('test').filter((file) => file.endsWith('.ts'))

describe('names', () => {
  it('describe the content of the file', () => {
    expect(sources).to.not.be.empty
    expect(sources.filter((file) => NO_NAME.test(file))).to.be.empty
  })

  it('are in kebab-case', () => {
    const all = [...sources, ...tests]
    expect(all.filter((file) => file.endsWith('.ts') && !KEBAB_CASE.test(basename(file)))).to.be.empty
  })
})

describe('a module', () => {
  it('states its purpose in a doc comment above an export', () => {
    const modules = sources.filter((file) => /(?<!\.d)\.ts$/.test(file) && /^export /m.test(textOf(file)))
    expect(modules).to.not.be.empty
    const silent = modules.filter((file) => !/\*\/\nexport /.test(textOf(file)))
    expect(silent.filter((file) => !file.startsWith('src/embedding/'))).to.be.empty
  })
})

describe('the tests', () => {
  const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

  it('are all enabled, except tests whose tool is missing', () => {
    expect(tests).to.include(REQUIRED_TOOLS)
    expect(tests.filter((file) => SWITCHED_OFF.test(textOf(file)))).to.deep.equal([REQUIRED_TOOLS])
    const skips = new RegExp(SWITCHED_OFF, 'g')
    expect(count(textOf(REQUIRED_TOOLS), skips)).to.equal(count(textOf(REQUIRED_TOOLS), NAMED_SKIP))
  })

  it('are skipped only because of the operating system or the machine', () => {
    const out = tests.filter((file) => count(textOf(file), LEFT_OUT) !== count(textOf(file), OF_THE_MACHINE))
    expect(out).to.deep.equal([])
  })

  it('are never skipped in .ci/run because of a missing tool', () => {
    const required = Object.values(TOOLS).map(({ requiredBy }) => `${requiredBy}=1`)
    expect(required).to.not.be.empty
    const exported = textOf('.ci/run')
      .split('\n')
      .flatMap((line) => /^export (.*)/.exec(line)?.[1]?.split(' ') ?? [])
    expect(exported).to.include.members(required)
  })

  it('create temporary folders only in listed files, which remove the folders', () => {
    const makers = tests.filter((file) => /\bmkdtemp(Sync)?\(/.test(textOf(file)))
    expect(makers.sort()).to.deep.equal(MAKE_FOLDERS.toSorted())
  })
})

describe('the executable', () => {
  it('forwards its arguments in fewer than 16 lines', () => {
    const lines = textOf('bin/app.js').trimEnd().split('\n')
    expect(lines[0]).to.equal('#!/usr/bin/env node')
    expect(lines.length).to.be.lessThan(16)
  })
})

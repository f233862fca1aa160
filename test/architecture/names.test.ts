import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import { filesOf, PROJECT } from '../support/project.js'

const NO_NAME = /(^|[-/])(utils?|helpers?|managers?|impl)([-/.]|$)/
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.ts$/
/** A skip whose title ends with the reason, a missing server, is a failure in `.ci/run`. */
const SWITCHED_OFF =
  /\b((describe|context|it|specify)\.(only|skip)|x(describe|context|it|specify))\((?!`\$\{title\} \(\$\{NO_\w+\}\)`)/

const sources = filesOf('src')
const tests = filesOf('test').filter((file) => file.endsWith('.ts'))

function textOf(file: string): string {
  return readFileSync(join(PROJECT, file), 'utf8')
}

describe('names', () => {
  it('say what a file holds', () => {
    expect(sources).to.not.be.empty
    expect(sources.filter((file) => NO_NAME.test(file))).to.be.empty
  })

  it('are in kebab-case', () => {
    const all = [...sources, ...tests]
    expect(all.filter((file) => file.endsWith('.ts') && !KEBAB_CASE.test(basename(file)))).to.be.empty
  })
})

describe('the tests', () => {
  it('are all switched on', () => {
    expect(tests).to.not.be.empty
    expect(tests.filter((file) => SWITCHED_OFF.test(textOf(file)))).to.be.empty
  })
})

describe('the executable', () => {
  it('hands its arguments over in a few lines', () => {
    const lines = textOf('bin/app.js').trimEnd().split('\n')
    expect(lines[0]).to.equal('#!/usr/bin/env node')
    expect(lines.length).to.be.lessThan(16)
  })
})

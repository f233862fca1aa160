import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { BUNDLE, bundleContents } from '../support/built-package.js'
import { filesOf, PROJECT, textOf } from '../support/project.js'

describe('the bundle of the command-line program', () => {
  const { inputs, packages } = bundleContents()

  it('contains every command and no unreachable source', () => {
    const commands = filesOf('src/adapters/oclif').filter((file) => !file.endsWith('.d.ts'))
    expect(commands.length).to.be.greaterThan(20)
    expect(inputs).to.include.members(['src/program/main.ts', ...commands])
  })

  it('excludes optional packages, native packages and packages of features that Kennel does not use', () => {
    const held = Object.values(packages).flat()
    expect(held).to.include.members(['koa', '@oclif/core', 'zod'])
    const optional = ['@simplewebauthn/server', 'mongodb', 'paseto', 'pg', '@photostructure/sqlite']
    const out = [...optional, 'typescript', 'ts-node', 'semver', 'cli-spinners', 'wsl-utils']
    expect(held.filter((name) => out.includes(name))).to.deep.equal([])
  })

  it('replaces packages that generate code from strings', () => {
    const held = Object.values(packages).flat()
    expect(held.filter((name) => ['ejs', 'depd'].includes(name))).to.deep.equal([])
    const load = (name: string) => `require(${JSON.stringify(join(PROJECT, 'scripts', 'bundled', name))})`
    const program = `
      const deprecate = ${load('depd.cjs')}('koa')
      const double = deprecate.function((number) => 2 * number, 'double')
      deprecate('old'), deprecate('old'), deprecate('older')
      const { render } = ${load('ejs.cjs')}
      console.log(render('<%= a.b %> and <%=c%>, $ app', { a: { b: 1 }, c: 'two' }), double(2), double(3))`
    const options = { encoding: 'utf8', env: { PATH: process.env['PATH'] } } as const
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], options)
    expect(stdout).to.equal('1 and two, $ app 4 6\n')
    const warnings = Array.from(stderr.matchAll(/DeprecationWarning: (.*)/g), ([, warning]) => warning)
    expect(warnings).to.deep.equal(['koa: old', 'koa: older', 'koa: double'])
  })

  it('contains the license of each bundled package', () => {
    const notices = readFileSync(join(BUNDLE, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
    const missing = Object.values(packages)
      .flat()
      .filter((name) => !notices.includes(`\n${name} `))
    expect(missing).to.deep.equal([])
    for (const name of ['koa', '@oclif/core', 'nodemailer']) {
      expect(notices, name).to.include(textOf('node_modules', name, 'LICENSE').trim())
    }
  })

  it('contains no third-party module whose license is in a parent folder, because the license would be missing', () => {
    const withLicence = (file: string) => textOf(file).startsWith('/*!')
    const written = filesOf('dist/src').filter((file) => file.endsWith('.js') && withLicence(file))
    expect(written).to.include('dist/src/adapters/bowser/bowser.js')
    expect(written.filter((file) => inputs.includes(file))).to.deep.equal([])
  })

  it('has a source map next to each file', () => {
    const files = readdirSync(BUNDLE).filter((file) => file.endsWith('.js'))
    expect(files.sort()).to.deep.equal(Object.keys(packages).sort())
    const sources = files.flatMap((file) => {
      const map = JSON.parse(readFileSync(join(BUNDLE, `${file}.map`), 'utf8')) as { sources: string[] }
      return map.sources
    })
    expect(sources).to.include('../../src/program/main.ts')
  })
})

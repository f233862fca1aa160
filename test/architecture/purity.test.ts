import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ESLint } from 'eslint'
import { expect } from 'chai'
import { PROJECT } from '../support/project.js'
import { suiteFolder } from '../support/temporary-folder.js'

const PURE = 'src/domain/instant.ts'
const ADAPTER = 'src/adapters/memory/store.ts'
const TEST = 'test/domain/identity/email.test.ts'

/** Code that the linter forbids in the pure layers: a line, and the rule that rejects it. */
const FORBIDDEN: readonly (readonly [line: string, rule: string])[] = [
  ['export const at = Date.now()', 'no-restricted-properties'],
  ['export const at = new Date()', 'no-restricted-syntax'],
  ['export const at = performance.now()', 'no-restricted-globals'],
  ['export const chance = Math.random()', 'no-restricted-properties'],
  ['export const id = crypto.randomUUID()', 'no-restricted-globals'],
  ["export const home = process.env['HOME']", 'no-restricted-properties'],
  ['export const settings: any = 1', '@typescript-eslint/no-explicit-any'],
  ['Promise.resolve(1)', '@typescript-eslint/no-floating-promises'],
  ['export default 1', 'no-restricted-syntax'],
  ["export * from './refusal.js'", 'no-restricted-syntax'],
]

describe('the linter', () => {
  const inFolder = suiteFolder()
  const project = inFolder('tsconfig.json')
  // The project has only these files, because the rules need no other file. In CI, the parser would otherwise assume a
  // single run, and lint the files on disk instead of the strings passed in.
  const parserOptions = { projectService: false, project, disallowAutomaticSingleRunInference: true }
  const eslint = new ESLint({
    cwd: PROJECT,
    overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions } },
  })
  before(() => {
    const typeRoots = [join(PROJECT, 'node_modules/@types')]
    const files = [PURE, ADAPTER, TEST].map((file) => join(PROJECT, file))
    const text = JSON.stringify({
      extends: join(PROJECT, 'tsconfig.json'),
      compilerOptions: { typeRoots },
      files,
      include: [],
    })
    writeFileSync(project, text)
  })

  async function rulesBroken(text: string, file: string): Promise<(string | null)[]> {
    const results = await eslint.lintText(`${text}\n`, { filePath: `${PROJECT}/${file}` })
    return results.flatMap((result) => result.messages.map((message) => message.ruleId))
  }

  for (const [line, rule] of FORBIDDEN) {
    it(`rejects \`${line}\` in the domain`, async () => {
      expect(await rulesBroken(line, PURE)).to.include(rule)
    })
  }

  it('allows the domain to read a time that is passed in', async () => {
    expect(await rulesBroken('export const year = new Date(0).getUTCFullYear()', PURE)).to.be.empty
  })

  it('forbids an adapter to use environment variables, but not to use the clock', async () => {
    expect(await rulesBroken("export const home = process.env['HOME']", ADAPTER)).to.deep.equal([
      'no-restricted-properties',
    ])
    expect(await rulesBroken('export const at = Date.now()', ADAPTER)).to.be.empty
  })

  it('forbids checking files by name, except in the SQLite adapter', async () => {
    for (const line of [
      "export { statSync } from 'node:fs'",
      "export { accessSync } from 'node:fs'",
      "export { lstat } from 'node:fs/promises'",
    ])
      expect(await rulesBroken(line, ADAPTER), line).to.deep.equal(['no-restricted-imports'])
  })

  it('forbids time measurements in tests', async () => {
    for (const [line, rule] of [
      ['export const began = performance.now()', 'no-restricted-globals'],
      ['export const began = process.hrtime()', 'no-restricted-properties'],
    ] as const) {
      expect(await rulesBroken(line, TEST)).to.include(rule)
    }
  })

  it('applies rules even if a comment disables them', async () => {
    const text = '/* eslint-disable */\nexport const at = Date.now()'
    expect(await rulesBroken(text, PURE)).to.include('no-restricted-properties')
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ESLint } from 'eslint'
import { expect } from 'chai'
import { PROJECT } from '../support/project.js'
import { suiteFolder } from '../support/temporary-folder.js'

const PURE = 'src/domain/instant.ts'
const ADAPTER = 'src/adapters/memory/store.ts'
const TEST = 'test/domain/identity/email.test.ts'

/** Forbidden code: a line, the rule that rejects it, and the file if it is not in the domain. */
const FORBIDDEN: readonly (readonly [line: string, rule: string, file?: string])[] = [
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
  ["export const home = process.env['HOME']", 'no-restricted-properties', ADAPTER],
  ["export { statSync } from 'node:fs'", 'no-restricted-imports', ADAPTER],
  ["export { lstat } from 'node:fs/promises'", 'no-restricted-imports', ADAPTER],
  ['export const began = performance.now()', 'no-restricted-globals', TEST],
  ['export const began = process.hrtime()', 'no-restricted-properties', TEST],
]

/** Code that only looks like forbidden code. */
const ALLOWED = [
  ['export const year = new Date(0).getUTCFullYear()', PURE],
  ['export const at = Date.now()', ADAPTER],
] as const

describe('the linter', () => {
  const project = suiteFolder()('tsconfig.json')
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

  for (const [line, rule, file = PURE] of FORBIDDEN)
    it(`rejects \`${line}\` in ${file}`, async () => {
      expect(await rulesBroken(line, file)).to.include(rule)
    })

  for (const [line, file] of ALLOWED)
    it(`accepts \`${line}\` in ${file}`, async () => {
      expect(await rulesBroken(line, file)).to.be.empty
    })

  it('applies rules even if a comment disables them', async () => {
    const text = '/* eslint-disable */\nexport const at = Date.now()'
    expect(await rulesBroken(text, PURE)).to.include('no-restricted-properties')
  })
})

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { plant, PROJECT } from '../support/project.js'

const OPTIONS = {
  rootDir: '.',
  outDir: 'dist',
  module: 'nodenext',
  declaration: true,
  sourceMap: true,
  types: [],
}

describe('the build', () => {
  it('removes outputs without a source, keeps files from other scripts, and writes source maps only on request', () => {
    const tree = plant({
      'package.json': '{ "type": "module" }',
      'tsconfig.json': JSON.stringify({ compilerOptions: OPTIONS, include: ['src'] }),
      'src/one.ts': 'export const one = 1\n',
      'src/page/packed.d.ts': 'export declare const PACKED: string\n',
      'dist/src/page/packed.js': 'made',
      'dist/src/page/packed.d.ts': 'made',
      'dist/src/page/gone.js': 'stale',
      'dist/src/gone.d.ts': 'stale',
    })
    const { folder } = tree
    cpSync(join(PROJECT, 'scripts'), join(folder, 'scripts'), { recursive: true })
    symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'junction')
    const build = (...args: readonly string[]) =>
      execFileSync(process.execPath, [join(folder, 'scripts', 'build.js'), ...args])
    build()
    const built = (file: string) => join(folder, 'dist', 'src', file)
    for (const file of ['page/packed.js', 'page/packed.d.ts'])
      expect(readFileSync(built(file), 'utf8'), file).to.equal('made')
    expect(
      ['one.js', 'one.d.ts', 'page/gone.js', 'gone.d.ts'].filter((file) => existsSync(built(file))),
    ).to.deep.equal(['one.js', 'one.d.ts'])
    expect(existsSync(built('one.js.map'))).to.equal(false)
    build('--maps')
    expect(existsSync(built('one.js.map'))).to.equal(true)
    tree.remove()
  })
})

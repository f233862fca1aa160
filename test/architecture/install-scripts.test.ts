import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { PROJECT } from '../support/project.js'

type Lock = { readonly packages: Readonly<Record<string, { readonly hasInstallScript?: true }>> }
type Manifest = { readonly allowScripts: Readonly<Record<string, boolean>> }

function read(file: string): unknown {
  return JSON.parse(readFileSync(join(PROJECT, file), 'utf8'))
}

describe('the scripts that packages run when they are installed', () => {
  it('are all named, and none is run', () => {
    const { packages } = read('package-lock.json') as Lock
    const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript === true)
    const names = scripted.map(([place]) => place.replace(/^.*node_modules\//, ''))
    const { allowScripts } = read('package.json') as Manifest
    expect(names).to.not.be.empty
    expect(allowScripts).to.deep.equal(Object.fromEntries(names.map((name) => [name, false])))
  })
})

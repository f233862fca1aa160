import { expect } from 'chai'
import { textOf } from '../support/project.js'

type Packages = Readonly<Record<string, { readonly hasInstallScript?: true }>>

describe('the install scripts of packages', () => {
  it('are all listed, and none is allowed to run', () => {
    const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Packages }
    const names = Object.entries(packages).flatMap(([place, { hasInstallScript }]) =>
      hasInstallScript ? [place.replace(/^.*node_modules\//, '')] : [],
    )
    expect(names).to.not.be.empty
    const { allowScripts } = JSON.parse(textOf('package.json')) as { allowScripts: object }
    expect(allowScripts).to.deep.equal(Object.fromEntries(names.map((name) => [name, false])))
  })
})

describe('the peer packages of the benchmarks', () => {
  it('have exact versions, run no install script, and cannot be published by accident', () => {
    const manifest = JSON.parse(textOf('bench/peers/package.json')) as {
      readonly dependencies: Readonly<Record<string, string>>
      readonly private: boolean
    }
    expect(
      Object.values(manifest.dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version)),
    ).to.deep.equal([])
    expect(manifest.private).to.equal(true)
    expect(textOf('bench/peers/.npmrc').split('\n')).to.include('ignore-scripts=true')
  })
})

import { expect } from 'chai'
import { textOf } from '../support/project.js'

type Packages = Readonly<
  Record<string, { readonly version?: string; readonly resolved?: string; readonly hasInstallScript?: true }>
>
type Manifest = {
  readonly dependencies: Readonly<Record<string, string>>
  readonly allowScripts?: Readonly<Record<string, boolean>>
  readonly private?: boolean
}

/** Separate packages, and their dependencies with an install script. */
const SEPARATE = [
  // The package includes its native code; the script only builds a missing binary.
  { folder: 'bench/peers/', scripted: ['@photostructure/sqlite'] },
  { folder: 'mutation/', scripted: [] },
]

const manifestIn = (folder: string) => JSON.parse(textOf(`${folder}package.json`)) as Manifest
const lockedIn = (folder: string) =>
  (JSON.parse(textOf(`${folder}package-lock.json`)) as { readonly packages: Packages }).packages
/** The packages that run a script when they are installed. */
const scriptedIn = (packages: Packages) =>
  Object.entries(packages).flatMap(([place, { hasInstallScript }]) =>
    hasInstallScript ? [place.replace(/^.*node_modules\//, '')] : [],
  )

describe('the scripts that packages run when they are installed', () => {
  it('are all named, and none is run', () => {
    const names = scriptedIn(lockedIn(''))
    expect(names).to.not.be.empty
    expect(manifestIn('').allowScripts).to.deep.equal(Object.fromEntries(names.map((name) => [name, false])))
  })
})

for (const { folder, scripted } of SEPARATE) {
  describe(`the dependencies of ${folder}`, () => {
    const manifest = manifestIn(folder)
    const packages = lockedIn(folder)
    const names = Object.keys(manifest.dependencies)

    it('have one exact version each, which is the locked version', () => {
      const locked = names.map((name) => [name, packages[`node_modules/${name}`]?.version] as const)
      expect(locked).to.not.be.empty
      expect(Object.fromEntries(locked)).to.deep.equal(manifest.dependencies)
    })

    it('name no registry, run no install script, and cannot be published by accident', () => {
      const all = Object.values(packages)
      expect(all.length).to.be.greaterThan(50)
      expect(all.filter(({ resolved }) => resolved !== undefined)).to.deep.equal([])
      expect(scriptedIn(packages)).to.deep.equal(scripted)
      expect(textOf(`${folder}.npmrc`).split('\n')).to.include.members([
        'omit-lockfile-registry-resolved=true',
        'ignore-scripts=true',
      ])
      expect(manifest.private).to.equal(true)
    })

    it('are not installed with the project', () => {
      const own = lockedIn('')
      const shared = ['@photostructure/sqlite']
      expect(own['']).to.not.have.property('workspaces')
      expect(names.filter((name) => `node_modules/${name}` in own && !shared.includes(name))).to.deep.equal(
        [],
      )
    })
  })
}

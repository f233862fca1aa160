import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { PROJECT } from '../support/project.js'

type Locked = { readonly version?: string; readonly resolved?: string; readonly hasInstallScript?: true }
type Manifest = { readonly dependencies: Readonly<Record<string, string>>; readonly private?: boolean }

/** The package includes its native code; the script only builds a missing binary. */
const SCRIPTED = ['node_modules/@photostructure/sqlite']

describe('the peers of the benchmarks', () => {
  const textOf = (file: string) => readFileSync(join(PROJECT, 'bench', 'peers', file), 'utf8')
  const manifest = JSON.parse(textOf('package.json')) as Manifest
  const { packages } = JSON.parse(textOf('package-lock.json')) as {
    packages: Readonly<Record<string, Locked>>
  }

  it('have one exact version each, which is the locked version', () => {
    const locked = Object.keys(manifest.dependencies).map(
      (name) => [name, packages[`node_modules/${name}`]?.version] as const,
    )
    expect(locked).to.not.be.empty
    expect(Object.fromEntries(locked)).to.deep.equal(manifest.dependencies)
  })

  it('name no registry, run no install script, and cannot be published by accident', () => {
    const all = Object.entries(packages)
    expect(all.length).to.be.greaterThan(50)
    expect(all.filter(([, { resolved }]) => resolved !== undefined)).to.deep.equal([])
    const scripted = all.flatMap(([path, { hasInstallScript }]) => (hasInstallScript ? [path] : []))
    expect(scripted).to.deep.equal(SCRIPTED)
    expect(textOf('.npmrc').split('\n')).to.include.members([
      'omit-lockfile-registry-resolved=true',
      'ignore-scripts=true',
    ])
    expect(manifest.private).to.equal(true)
  })

  it('are not installed with the project', () => {
    const lock = readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')
    const { packages: own } = JSON.parse(lock) as { packages: Readonly<Record<string, Locked>> }
    expect(own['']).to.not.have.property('workspaces')
    const peers = ['better-auth', 'oidc-provider', 'passport', 'jsonwebtoken']
    expect(peers.filter((name) => `node_modules/${name}` in own)).to.deep.equal([])
  })
})

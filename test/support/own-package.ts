import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Names of packages, each with one exact version. */
export type Versions = Readonly<Record<string, string>>

/**
 * Installs packages from the registry into a folder of their own, without their scripts, where they are not there yet:
 * a tool that is seldom used is no development package of this project. Throws where the registry cannot be asked.
 */
export function installOwnPackage(folder: string, versions: Versions): void {
  if (areInstalled(folder, versions)) return
  mkdirSync(folder, { recursive: true })
  const manifest = { name: 'own-package', private: true, dependencies: versions }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1']
  const { status } = spawnSync('npm', ['install', ...options], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status === 0 && areInstalled(folder, versions)) return
  throw new Error(`npm could not install ${Object.keys(versions).join(', ')} into ${folder}.`)
}

function areInstalled(folder: string, versions: Versions): boolean {
  return Object.entries(versions).every(([name, version]) => {
    const manifest = join(folder, 'node_modules', name, 'package.json')
    if (!existsSync(manifest)) return false
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { version?: unknown }).version === version
  })
}

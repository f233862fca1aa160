// The handbook as a site, with the packages in site/, which are installed on the first use: `npm run docs` shows it and
// follows changes, `npm run docs -- build` writes it to reports/site. Other arguments go to VitePress.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const site = join(import.meta.dirname, '..', 'site')

function manifestIn(...path) {
  try {
    return JSON.parse(readFileSync(join(site, ...path, 'package.json'), 'utf8'))
  } catch {
    return undefined
  }
}

function isInstalled() {
  const wanted = Object.entries(manifestIn().dependencies)
  return wanted.every(([name, version]) => manifestIn('node_modules', name)?.version === version)
}

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: site, stdio: 'inherit' })
  return status ?? 1
}

if (!isInstalled() && run('npm', ['ci', '--loglevel=error']) !== 0) {
  console.error('The packages of site/ could not be installed: that needs the registry.')
  process.exitCode = 1
} else {
  const [command = 'dev', ...others] = process.argv.slice(2)
  process.exitCode = run(process.execPath, ['node_modules/vitepress/bin/vitepress.js', command, ...others])
}

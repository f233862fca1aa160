// Writes oclif.manifest.json: what help, completion and look-up need to know of every command without loading
// any of them. A manifest that is behind the code would be believed, so every build writes it anew.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Plugin } from '@oclif/core'

const project = join(import.meta.dirname, '..')
const path = join(project, 'oclif.manifest.json')

const plugin = new Plugin({
  root: project,
  type: 'core',
  ignoreManifest: true,
  errorOnManifestCreate: true,
  respectNoCacheDefault: true,
})
await plugin.load()
const { commands, version } = plugin.manifest
if (Object.keys(commands).length === 0) throw new Error('no command was found')

const text = `${JSON.stringify({ commands, version }, undefined, 2)}\n`
if (text !== previous()) writeFileSync(path, text)

function previous() {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

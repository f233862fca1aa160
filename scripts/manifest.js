// Writes dist/src/adapters/oclif/described.js: the data of every command that help, completion and lookup need without
// loading a command. Every build rewrites it, because outdated data would be trusted.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Plugin } from '@oclif/core'
import { commands as OWN_OF_OCLIF } from '@oclif/plugin-help'
import { COMMANDS } from '../dist/src/program/commands.js'
import { writeModule } from './write-module.js'

const project = join(import.meta.dirname, '..')
const { name, version, description, bin, oclif } = JSON.parse(
  readFileSync(join(project, 'package.json'), 'utf8'),
)
const help = async () => OWN_OF_OCLIF.help

/** oclif's own description of commands, with our commands instead of a search. */
class Described extends Plugin {
  async getCommandIDs() {
    return [...Object.keys(COMMANDS), 'help']
  }

  async findCommand(id) {
    return Object.assign(await { ...COMMANDS, help }[id](), { id, plugin: this })
  }
}

const plugin = new Described({
  root: project,
  type: 'core',
  ignoreManifest: true,
  errorOnManifestCreate: true,
  respectNoCacheDefault: true,
})
await plugin.load()
const { commands } = plugin.manifest
if (Object.keys(commands).length < 2) throw new Error('no command was found')
writeModule('adapters/oclif/described.js', {
  DESCRIBED: { name, version, description, names: Object.keys(bin), oclif, commands },
})

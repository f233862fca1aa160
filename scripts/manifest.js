// Writes dist/src/adapters/oclif/described.js: the data of every command that help, completion and lookup need without
// loading a command. Every build rewrites it, because outdated data would be trusted.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Plugin } from '@oclif/core'
import { commands as OWN_OF_OCLIF } from '@oclif/plugin-help'
import { COMMAND_MODULES } from '../dist/src/adapters/oclif/command-modules.js'
import { writeModule } from './written-modules.js'

const project = join(import.meta.dirname, '..')
const { name, version, description, bin, oclif } = JSON.parse(
  readFileSync(join(project, 'package.json'), 'utf8'),
)
const found = await Promise.all(
  COMMAND_MODULES.map(async (load, at) =>
    Object.entries((await load()).COMMANDS).map(([id, make]) => ({ id, at, make })),
  ),
)
const all = found.flat()
// Only a run uses the parts of a command.
const classes = { help: OWN_OF_OCLIF.help, ...Object.fromEntries(all.map(({ id, make }) => [id, make({})])) }

/** oclif's own description of commands, with our commands instead of a search. */
class Described extends Plugin {
  async getCommandIDs() {
    return Object.keys(classes)
  }

  async findCommand(id) {
    return Object.assign(classes[id], { id, plugin: this })
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
const modules = Object.fromEntries(all.map(({ id, at }) => [id, at]))
if (Object.keys(commands).length < 2) throw new Error('no command was found')
writeModule('adapters/oclif/described.js', {
  DESCRIBED: { name, version, description, names: Object.keys(bin), oclif, commands, modules },
})

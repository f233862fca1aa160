import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const MANIFEST = {
  name: 'hello-app',
  version: '0.0.0',
  type: 'module',
  oclif: {
    bin: 'hello-app',
    dirname: 'hello-app',
    topicSeparator: ' ',
    commands: { strategy: 'explicit', target: './commands.js', identifier: 'COMMANDS' },
    plugins: ['@oclif/plugin-help'],
  },
}

const COMMANDS = `
import { Args, Command, Flags } from '@oclif/core'
export const COMMANDS = {
  hello: class Hello extends Command {
    static description = 'Say hello'
    static args = { person: Args.string({ description: 'Person to say hello to', required: true }) }
    static flags = { from: Flags.string({ char: 'f', description: 'Who is saying hello', required: true }) }
    async run() {
      const { args, flags } = await this.parse(Hello)
      this.log('hello ' + args.person + ' from ' + flags.from)
    }
  },
}
`

const RUN = `import { execute } from '@oclif/core'\nawait execute({ dir: import.meta.url })\n`

/** Loads the application once and writes the manifest that a released application ships. */
const WRITE_MANIFEST = `
import { writeFileSync } from 'node:fs'
import { Plugin } from '@oclif/core'
const plugin = new Plugin({ root: process.cwd(), type: 'core', ignoreManifest: true, respectNoCacheDefault: true })
await plugin.load()
writeFileSync('oclif.manifest.json', JSON.stringify(plugin.manifest))
`

/** Creates the output of oclif's generator, with one command and the packages of this checkout. Returns its entry. */
export async function makeHelloApp(
  folder: string,
  run: (script: string, cwd: string) => Promise<void>,
): Promise<string> {
  await mkdir(join(folder, 'bin'), { recursive: true })
  await symlink(await realpath('node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), JSON.stringify(MANIFEST))
  await writeFile(join(folder, 'commands.js'), COMMANDS)
  await writeFile(join(folder, 'bin', 'run.js'), RUN)
  await writeFile(join(folder, 'write-manifest.js'), WRITE_MANIFEST)
  await run(join(folder, 'write-manifest.js'), folder)
  return join(folder, 'bin', 'run.js')
}

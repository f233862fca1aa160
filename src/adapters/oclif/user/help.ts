import { Command, loadHelpClass } from '@oclif/core'

export function createUserHelp(): Command.Class {
  return class UserHelp extends Command {
    static override summary = 'Show what can be done with user accounts.'
    static override examples = ['<%= config.bin %> user help']

    async run(): Promise<void> {
      await this.parse(UserHelp)
      const Help = await loadHelpClass(this.config)
      await new Help(this.config, this.config.pjson.oclif.helpOptions).showHelp(['user'])
    }
  }
}

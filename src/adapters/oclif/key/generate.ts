import { Command, Flags } from '@oclif/core'

const FLAGS = {
  plain: Flags.boolean({ description: 'print the passphrase alone, for a file or a variable' }),
}

export function createKeyGenerate(generatePassphrase: () => Promise<string>): Command.Class {
  return class KeyGenerate extends Command {
    static override summary = 'Make a passphrase for SECURITY_JWT_PASSPHRASE.'
    static override description =
      'Prints {"passphrase": "…"}, or with --plain the passphrase alone, one that passes the check. Nothing is stored.'
    static override examples = [
      '<%= config.bin %> key generate --plain > passphrase',
      '<%= config.bin %> key generate',
    ]
    static override flags = FLAGS

    async run(): Promise<void> {
      const { flags } = await this.parse({ flags: FLAGS })
      const passphrase = await generatePassphrase()
      this.log(flags.plain ? passphrase : JSON.stringify({ passphrase }))
    }
  }
}

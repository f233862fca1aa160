import { Command } from '@oclif/core'

export function createKeyGenerate(generatePassphrase: () => Promise<string>): Command.Class {
  return class KeyGenerate extends Command {
    static override summary = 'Make a passphrase for SECURITY_JWT_PASSPHRASE.'
    static override description = 'Prints {"passphrase": "…"}, one that passes the check. Nothing is stored.'
    static override examples = ['<%= config.bin %> key generate']

    async run(): Promise<void> {
      await this.parse(KeyGenerate)
      this.log(JSON.stringify({ passphrase: await generatePassphrase() }))
    }
  }
}

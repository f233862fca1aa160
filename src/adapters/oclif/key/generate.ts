import { Command, Flags } from '@oclif/core'
import { writeFile } from 'node:fs/promises'
import { OperatorError } from '../../../domain/operator-error.js'
import type { TypedPath } from '../command-context.js'
import { jsonLine } from '../terminal-text.js'
import { printNotSaved, refusable, saved } from '../task.js'

const FLAGS = {
  plain: Flags.boolean({ description: 'print the passphrase alone, for a file or a variable' }),
  file: Flags.string({
    description: 'write the passphrase into a new file that its owner alone can read',
    helpValue: 'FILE',
    exclusive: ['plain'],
  }),
}

const EXISTS =
  'The file exists already, and may hold a passphrase in use: name another file, or move that file away first.'

export function createKeyGenerate(
  generatePassphrase: () => Promise<string>,
  typedPath: TypedPath,
): Command.Class {
  return class KeyGenerate extends Command {
    static override summary = 'Make a passphrase for SECURITY_JWT_PASSPHRASE.'
    static override description =
      'Prints {"passphrase": "…"}, or with --plain the passphrase alone, one that passes the check. With --file writes it into a file that does not exist yet, and prints {"errors": [], "save": 1}. Nothing else is stored.'
    static override examples = [
      '<%= config.bin %> key generate --file passphrase',
      '<%= config.bin %> key generate --plain',
      '<%= config.bin %> key generate',
    ]
    static override flags = FLAGS

    async run(): Promise<void> {
      const { flags } = await this.parse({ flags: FLAGS })
      const { file, plain } = flags
      const passphrase = await generatePassphrase()
      if (file === undefined) {
        this.log(plain ? passphrase : JSON.stringify({ passphrase }))
        return
      }
      await refusable(
        this,
        false,
        async () => {
          await writeNew(typedPath(file), `${passphrase}\n`)
          this.log(jsonLine(saved()))
        },
        async (errors) => await printNotSaved(this, errors),
      )
    }
  }
}

/** A passphrase that was overwritten ends every login and loses every second factor. */
async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    throw new OperatorError([code === 'EEXIST' ? EXISTS : `The file cannot be written (${code}).`])
  }
}

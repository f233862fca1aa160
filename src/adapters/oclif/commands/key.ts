import { Flags } from '@oclif/core'
import { writeFile } from 'node:fs/promises'
import { codeOf } from '../../../configuration/opened-file.js'
import { OperatorError } from '../../../domain/refusal.js'
import { command, type Commands, booleanFlag } from '../command.js'
import { refusable, savedResult } from '../task.js'
import { jsonLine } from '../output.js'

export const TOPICS = { key: 'the passphrase that signs tokens' }

/** The command that generates a passphrase. */
export const COMMANDS: Commands = {
  'key:generate': command(
    {
      summary: 'Generate a passphrase for SECURITY_JWT_PASSPHRASE.',
      description:
        'Prints {"passphrase": "…"}, or with --plain only the passphrase, which passes the strength check. With --file, writes the passphrase into a new file, and prints {"errors": [], "save": 1}. Nothing else is stored.',
      examples: [
        '<%= config.bin %> key generate --file passphrase',
        '<%= config.bin %> key generate --plain',
        '<%= config.bin %> key generate',
      ],
      flags: {
        plain: booleanFlag('print only the passphrase, for use in a file or a variable'),
        file: Flags.string({
          description: 'write the passphrase into a new file that only its owner can read',
          helpValue: 'FILE',
          exclusive: ['plain'],
        }),
      },
    },
    async (generating, _args, { file, plain }, { generatePassphrase, typedPath }) => {
      const passphrase = await generatePassphrase()
      if (file === undefined) {
        generating.log(plain ? passphrase : JSON.stringify({ passphrase }))
        return
      }
      await refusable(generating, false, async () => {
        await writeNew(typedPath(file), `${passphrase}\n`)
        generating.log(jsonLine(savedResult()))
      })
    },
  ),
}

const EXISTS =
  'The file already exists and may contain a passphrase that is in use: name another file, or move the existing file away first.'

/** Never overwrites a file, because losing a passphrase ends every session and makes every second factor unusable. */
async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const code = codeOf(error)
    throw new OperatorError([code === 'EEXIST' ? EXISTS : `The file cannot be written (${code}).`])
  }
}

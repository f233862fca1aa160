import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { median, ratio, type Contestant } from '../alternate.js'
import { makeHelloApp } from '../bare/hello-app.js'
import { atMost, TIME_COLUMNS, timeRow, type Report } from '../report.js'
import type { Run } from '../run.js'
import { inWorkplace } from '../workplace/workplace.js'

const execute = promisify(execFile)

/** `app --help` compared with a Node process that does nothing, and with oclif's own hello command. */
export async function measureHelp(run: Run): Promise<Report> {
  return await inWorkplace(async ({ folder }) => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder }
    const timed = (name: string, args: readonly string[]): Contestant<number> => ({
      name,
      round: async () => {
        const begun = performance.now()
        await execute(process.execPath, args, { env })
        return performance.now() - begun
      },
    })
    const hello = await makeHelloApp(join(folder, 'hello'), async (script, cwd) => {
      await execute(process.execPath, [script], { cwd, env })
    })
    const [app, peer, empty] = await run.alternate(
      [
        timed('app --help', [join('bin', 'app.js'), '--help']),
        timed("oclif's hello --help", [hello, '--help']),
        timed('empty Node process', ['-e', '0']),
      ],
      { usual: 20, quick: 5 },
    )
    if (!app || !peer || !empty) throw new Error('three were measured')
    return {
      setting:
        '`app --help` beside a Node process that does nothing and beside an application with one `hello` command as the generator of oclif makes it; both ship a manifest, so neither loads its commands.',
      columns: TIME_COLUMNS,
      rows: [app, peer, empty].map(timeRow),
      claims: [
        atMost('app --help', 250, median(app.rounds), { unit: 'ms', digits: 0 }),
        atMost(
          "app --help per oclif's hello --help",
          1.3,
          ratio(app, peer, (time) => time),
        ),
      ],
    }
  })
}

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { alternate, median, ratio, type Contestant } from './alternate.js'
import { makeHelloApp } from './hello-app.js'
import { atMost, type Options, type Report } from './report.js'
import { inWorkplace } from './workplace.js'

const run = promisify(execFile)

/** `app --help` beside a Node process that does nothing and beside oclif's own hello command. */
export async function measureHelp({ quick }: Options): Promise<Report> {
  return await inWorkplace(async ({ folder }) => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder }
    const timed = (name: string, args: readonly string[]): Contestant<number> => ({
      name,
      round: async () => {
        const begun = performance.now()
        await run(process.execPath, args, { env })
        return performance.now() - begun
      },
    })
    const hello = await makeHelloApp(join(folder, 'hello'), async (script, cwd) => {
      await run(process.execPath, [script], { cwd, env })
    })
    const [app, peer, empty] = await alternate(
      [
        timed('app --help', [join('bin', 'app.js'), '--help']),
        timed("oclif's hello --help", [hello, '--help']),
        timed('empty Node process', ['-e', '0']),
      ],
      quick ? 5 : 20,
    )
    if (!app || !peer || !empty) throw new Error('three were measured')
    return {
      title: 'Help of the command line',
      columns: ['', 'median ms', 'fastest ms', 'slowest ms'],
      rows: [app, peer, empty].map(({ name, rounds }) => [
        name,
        ...[median(rounds), Math.min(...rounds), Math.max(...rounds)].map((time) => time.toFixed(0)),
      ]),
      claims: [
        atMost('app --help', 250, median(app.rounds), ' ms'),
        atMost(
          "app --help per oclif's hello --help",
          1.3,
          ratio(app, peer, (time) => time),
        ),
      ],
    }
  })
}

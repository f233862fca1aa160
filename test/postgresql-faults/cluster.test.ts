import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { processesIn, until } from '../cli/workers.js'
import { PROJECT } from '../support/project.js'
import { describeWith } from '../support/required-tools.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'

const CLUSTER = pathToFileURL(join(PROJECT, 'dist/test/support/postgresql/cluster.js')).href

describeWith('postgres', 'a PostgreSQL cluster of the tests', () => {
  it('ends, and its files are removed, if the process that started it is killed', async () => {
    const { path } = makeTemporaryFolder()
    const data = join(path, 'data')
    const text = `import { startCluster } from ${JSON.stringify(CLUSTER)}
      await startCluster(${JSON.stringify(path)})
      process.stdout.write('started')`
    const args = ['--input-type=module', '-e', text]
    const runner = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(runner.stdout, 'data')
    expect(processesIn(data)).to.have.length.greaterThan(1)
    runner.kill('SIGKILL')
    await until(() => !existsSync(path))
    expect(processesIn(data)).to.deep.equal([])
  })
})

// Prints a generated table: `laws` lists every contract law; `assumptions` lists, for the simulator, the laws behind
// each port call. `npm run tables` and the website run this script after a build.
import { cell, table } from './reference/table.js'

const nameOf = (law) => (law?.port ? cell(`${law.port}: ${law.name}`) : '')

const TABLES = {
  laws: async () => {
    const contracts = await import('../dist/src/contracts/index.js')
    const laws = Object.values(contracts).filter(Array.isArray).flat()
    const rowsOf = (port) =>
      laws.filter((law) => law.port === port).map((law) => [cell(law.name), cell(law.protects)])
    const ports = [...new Set(laws.map(({ port }) => port))]
    const tables = ports.map((port) => `\n## ${port}\n${table(['Law', 'Protects'], rowsOf(port))}`)
    return `# The laws\n${tables.join('')}`
  },
  assumptions: async () => {
    const { shownCalls } = await import('../dist/test/contracts/bridge/shown.js')
    const calls = (await shownCalls()).map((row) => [row.call, nameOf(row.effect), nameOf(row.atomicity)])
    return `# Laws behind the simulator\n${table(['Call', 'Law on its effect', 'Law on its atomicity'], calls)}`
  },
}

const { [process.argv[2]]: print } = TABLES
if (print) process.stdout.write(await print())
else {
  console.error(`Name a table: ${Object.keys(TABLES).join(' or ')}.`)
  process.exitCode = 2
}

// Prints a table that no page keeps: `laws`, every law, or `assumptions`, the laws for each port call and planted bug of
// the simulator. `npm run tables` and the site call it, after a build.
const build = new URL('../dist/', import.meta.url)
const table = (heads, rows) =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |\n`).join('')
/** Escapes text that Markdown would read as markup. */
const cell = (text) => text.replace(/[\\|*_`<[\]]/g, '\\$&')
const nameOf = (law) => (law?.port ? `${law.port}: ${law.name}` : '')

const TABLES = {
  laws: async () => {
    const contracts = await import(new URL('src/contracts/index.js', build))
    const laws = Object.values(contracts).filter(Array.isArray).flat()
    const rowsOf = (port) => laws.filter((law) => law.port === port).map((law) => [law.name, law.protects])
    const ports = [...new Set(laws.map(({ port }) => port))]
    const tables = ports.map((port) => `\n## ${port}\n\n${table(['Law', 'Protects'], rowsOf(port))}`)
    return `# The laws\n${tables.join('')}`
  },
  assumptions: async () => {
    const { shownCalls } = await import(new URL('test/contracts/bridge/shown.js', build))
    const { lawAgainst } = await import(new URL('test/contracts/bridge/planted.js', build))
    const { PLANTED } = await import(new URL('test/simulation/planted/index.js', build))
    const calls = (await shownCalls()).map((row) => [row.call, nameOf(row.effect), nameOf(row.atomicity)])
    const bugs = []
    for (const [name, bug] of Object.entries(PLANTED)) bugs.push([name, nameOf(await lawAgainst(bug))])
    return `# Laws behind the simulator\n\n${table(['Call', 'Law of its effect', 'Law of its atomicity'], calls)}
## Planted bugs\n\n${table(['Bug of the simulator', 'Law that notices it'], bugs)}`
  },
}

const { [process.argv[2]]: print } = TABLES
if (print) process.stdout.write(await print())
else {
  console.error(`Name a table: ${Object.keys(TABLES).join(' or ')}.`)
  process.exitCode = 2
}

/** Outside the program, which Node may have failed to read. Prints no stack: the remedy is not in the code. */
export function failOnDescriptors(error) {
  if (error?.code !== 'EMFILE' && error?.code !== 'ENFILE') throw error
  console.error(
    `Too many open files (${error.code}): raise the limit with "ulimit -n 1024", or LimitNOFILE= in the unit of systemd.`,
  )
  process.exitCode = 1
}

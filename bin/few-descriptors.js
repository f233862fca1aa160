/** Beside the program, which may not have been read. Without a stack: what is to be done about it is not in the code. */
export function failOnDescriptors(error) {
  if (error?.code !== 'EMFILE' && error?.code !== 'ENFILE') throw error
  console.error(
    `Too many open files (${error.code}): raise the limit with "ulimit -n 1024", or LimitNOFILE= in the unit of systemd.`,
  )
  process.exitCode = 1
}

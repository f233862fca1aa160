/**
 * This file is separate from the program, because Node may have failed to read the program. Prints no stack trace, because the solution is
 * not in the code.
 */
export function failOnDescriptors(error) {
  if (error?.code !== 'EMFILE' && error?.code !== 'ENFILE') throw error
  console.error(
    `Too many open files (${error.code}): raise the limit with "ulimit -n 1024", or LimitNOFILE= in the systemd unit.`,
  )
  process.exitCode = 1
}

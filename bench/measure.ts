import type { Figure } from './figures.js'
import { busyCores, thisMachine, versionsInUse } from './machine.js'
import { rounded, type Result } from './results.js'
import { createRun, type Progress, type RunOptions } from './run.js'
import { mongodbVersion } from './workplace/mongodb-server.js'
import { stopEverything } from './workplace/processes.js'

/** Measures one figure. Always stops the processes that it started. */
export async function measure(figure: Figure, options: RunOptions, progress: Progress): Promise<Result> {
  const others = await busyCores()
  const begun = performance.now()
  try {
    const report = await figure.measure(createRun(options, progress))
    const { quick, rounds, seconds } = options
    return rounded({
      figure: figure.name,
      date: new Date().toISOString().slice(0, 10),
      tookSeconds: Math.round((performance.now() - begun) / 1000),
      ...(quick && { quick }),
      ...(rounds !== undefined && { rounds }),
      ...(seconds !== undefined && { seconds }),
      machine: thisMachine(),
      versions: versionsInUse(),
      ...(figure.needsMongodb && { mongodb: await mongodbVersion() }),
      busyCores: others,
      report,
    })
  } finally {
    await stopEverything()
  }
}

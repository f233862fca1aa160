// Adds an error to knip's own report if knip did not read every source.
import { filesBelow } from './files.js'

export default function reportCoverage({ counters }) {
  const sources = filesBelow('src', '.ts').length
  console.log(`${counters.processed} files processed, ${sources} of them in src`)
  if (sources > 0 && counters.processed >= sources) return
  console.error('knip did not read every source')
  process.exitCode = 1
}

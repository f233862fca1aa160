// Packs the package as `npm publish` would upload it, prints its size, and checks it with publint and attw. It must not build again: other
// gates read the build at the same time.
import { execSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'kennel-package-'))
const inMegabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`
try {
  const packing = `npm pack --json --ignore-scripts --pack-destination "${folder}"`
  const [{ filename, entryCount, size, unpackedSize }] = JSON.parse(execSync(packing, { encoding: 'utf8' }))
  console.log(`${entryCount} files, ${inMegabytes(size)} packed, ${inMegabytes(unpackedSize)} unpacked`)
  const tarball = join(folder, filename)
  const checks = [
    `publint run "${tarball}" --strict`,
    `attw "${tarball}" --profile esm-only --no-definitely-typed --format ascii`,
  ]
  const passed = checks.map((check) => spawnSync(check, { shell: true, stdio: 'inherit' }).status === 0)
  process.exitCode = passed.every(Boolean) ? 0 : 1
} finally {
  rmSync(folder, { recursive: true })
}

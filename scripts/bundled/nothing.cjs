// Replaces unused packages in the bundle. At each start, oclif reads two animations of cli-spinners, and the constant of wsl-utils, only so
// that `--version` can print `wsl` instead of `linux`.
module.exports = { dots2: { frames: [] }, line: { frames: [] }, isWsl: false }

// oclif loads the original at each start, only so that `--version` can print `wsl` instead of `linux`.
module.exports = { isWsl: false }

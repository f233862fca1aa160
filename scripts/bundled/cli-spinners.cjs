// oclif reads its animations at each start, but Kennel shows none of them.
module.exports = { dots2: { frames: [] }, line: { frames: [] } }

export { OWN_TEXTS, PACKED_FILES } from '../pages/packed-files.js'

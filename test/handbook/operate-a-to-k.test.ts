import { walkSection } from './walk-section.js'

walkSection('operate', /^[a-k]/)

import { walkSection } from './walk-section.js'

walkSection('operate', /^[r-z]/)

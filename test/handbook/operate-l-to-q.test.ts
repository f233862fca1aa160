import { walkSection } from './walk-section.js'

walkSection('operate', /^[l-q]/)

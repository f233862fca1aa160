import DefaultTheme from 'vitepress/theme'
import { defineComponent, h, onMounted, ref, watch } from 'vue'
import { useData } from 'vitepress'
import './theme.css'

let drawn = 0

const Drawing = defineComponent({
  props: { source: { type: String, required: true } },
  setup({ source }) {
    const { isDark } = useData()
    const svg = ref('')
    async function draw() {
      const { default: mermaid } = await import('mermaid')
      mermaid.initialize({ startOnLoad: false, theme: isDark.value ? 'dark' : 'default' })
      drawn += 1
      svg.value = (await mermaid.render(`drawing-${drawn}`, decodeURIComponent(source))).svg
    }
    onMounted(draw)
    watch(isDark, draw)
    return () => h('div', { class: 'drawing', innerHTML: svg.value })
  },
})

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => app.component('Drawing', Drawing),
}

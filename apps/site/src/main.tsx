// Shows the page, and lets it be there without a network from the second visit on.
import 'virtual:palette.css'
import './style.css'
import { render } from 'preact'
import { Page } from './page.tsx'

render(<Page />, document.getElementById('page')!)

const isDevelopment = document.querySelector('script[src*="@vite"]') !== null
if ('serviceWorker' in navigator && !isDevelopment)
  navigator.serviceWorker.register('./offline.js').catch(() => undefined)

// Takes away what is shown: the address, and the picture as SVG or PNG.
import { signal } from '@preact/signals'
import type { VNode } from 'preact'
import type { SvgNode } from '../picture/svg.ts'
import { svgText } from '../picture/svg.ts'
import { link } from '../state/store.ts'
import { download } from './download.ts'

const said = signal('')
let forget: ReturnType<typeof setTimeout> | undefined

const SAID_MS = 2500

function say(text: string): void {
  said.value = text
  clearTimeout(forget)
  forget = setTimeout(() => {
    said.value = ''
  }, SAID_MS)
}

/** Copies a text and says so; where the browser forbids it, says that. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say(`${what} copied.`)
  } catch {
    say('The browser does not let this page copy.')
  }
}

/** A copied picture is as wide as a slide has room for. */
export const COPIED_WIDTH = 1000

/** Pixels of a copied picture for each of its own: sharp on a projector. */
const SHARP = 2

function pngOf(picture: SvgNode): Promise<Blob> {
  const { width, height } = picture.attributes as { width: number; height: number }
  return new Promise((resolve, reject) => {
    const image = new Image()
    image.onload = () => {
      const canvas = document.createElement('canvas')
      canvas.width = width * SHARP
      canvas.height = height * SHARP
      canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
      canvas.toBlob((blob) => (blob === null ? reject(new Error('no picture')) : resolve(blob)), 'image/png')
    }
    image.onerror = reject
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(picture))}`
  })
}

async function copyPng(picture: SvgNode): Promise<void> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(picture) })])
    say('Picture copied.')
  } catch {
    download(await pngOf(picture), 'broadcast.png')
    say('Picture saved: the browser does not let this page copy it.')
  }
}

export function CopyLink(): VNode {
  return (
    <button type="button" onClick={() => copyText(link(), 'Link')}>
      Copy link
    </button>
  )
}

/** `picture` is drawn when it is asked for. */
export function CopyPicture({ picture }: { readonly picture: () => SvgNode }): VNode {
  return (
    <div class="tools">
      <button type="button" onClick={() => copyText(svgText(picture()), 'Picture (SVG)')}>
        Copy picture as SVG
      </button>
      <button type="button" onClick={() => copyPng(picture())}>
        Copy picture as PNG
      </button>
    </div>
  )
}

/** What was copied, for eyes and screen readers. */
export function CopySaid(): VNode {
  return (
    <p class="said" role="status">
      {said.value}
    </p>
  )
}

/** The contrast of two colors (WCAG 2, relative luminance): from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [one, other].map(luminance).sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/**
 * How different two colors are to the eye that tells them apart worst: the distance in Oklab, in which black and white
 * are 1 apart. It compares them as people without, and with each kind of, color blindness see them.
 */
export function difference(one: string, other: string): number {
  const distances = EYES.map((eye) => {
    const [a, b] = [one, other].map((color) => oklab(times(eye, linear(color))))
    return Math.hypot(...(a ?? []).map((value, at) => value - (b?.[at] ?? 0)))
  })
  return Math.min(...distances)
}

type Matrix = readonly (readonly number[])[]

/** Machado, Oliveira and Fernandes 2009, severity 1.0: protanopia, deuteranopia and tritanopia, after normal vision. */
const EYES: readonly Matrix[] = [
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
]

/** Björn Ottosson, “A perceptual color space for image processing”. */
const TO_CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
]
const TO_OKLAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
]

function oklab(color: number[]): number[] {
  const shown = color.map((value) => Math.min(1, Math.max(0, value)))
  return times(TO_OKLAB, times(TO_CONES, shown).map(Math.cbrt))
}

function times(matrix: Matrix, vector: readonly number[]): number[] {
  return matrix.map((row) => row.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0))
}

/** Red, green and blue of `#rrggbb`, in linear light. */
function linear(color: string): number[] {
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = linear(color)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

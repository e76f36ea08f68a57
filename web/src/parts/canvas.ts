// SPDX-License-Identifier: Apache-2.0
// canvas: how large a canvas is on the page, and drawing on it once for each change.
import { useLayoutEffect, useState } from "preact/hooks";
import { scheme } from "../base/theme";

export interface Size {
  width: number; // CSS pixels; 0 before it is on the page
  height: number;
  ratio: number; // of device pixels to CSS pixels
}

type CanvasRef = { current: HTMLCanvasElement | null };

// useSize is the size of a canvas, also when the window's size or zoom changes.
export function useSize(ref: CanvasRef): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0, ratio: 1 });
  useLayoutEffect(() => {
    const canvas = ref.current!;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = canvas;
      setSize({ width, height, ratio: devicePixelRatio });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(canvas);
    const zoom = matchMedia(`(resolution: ${size.ratio}dppx)`);
    zoom.addEventListener("change", measure);
    measure();
    return () => {
      observer.disconnect();
      zoom.removeEventListener("change", measure);
    };
  }, [size.ratio]);
  return size;
}

// prepared is what to draw on: empty, as large as the canvas is on the page, in CSS pixels; null if there is none.
export function prepared(
  canvas: HTMLCanvasElement,
  { width, height, ratio }: Size,
): CanvasRenderingContext2D | null {
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across || canvas.height !== down) {
    canvas.width = across;
    canvas.height = down;
  }
  const to = canvas.getContext("2d");
  to?.setTransform(ratio, 0, 0, ratio, 0, 0);
  to?.clearRect(0, 0, width, height);
  return to;
}

// useDrawing calls draw after something of `on`, the size or the colours changed, before the next frame is painted.
export function useDrawing(
  ref: CanvasRef,
  { width, height, ratio }: Size,
  draw: (to: CanvasRenderingContext2D) => void,
  on: readonly unknown[],
): void {
  useLayoutEffect(() => {
    const to = width > 0 && ref.current && prepared(ref.current, { width, height, ratio });
    if (to) {
      draw(to);
    }
  }, [width, height, ratio, scheme.value, ...on]);
}
